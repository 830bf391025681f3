/// The version of loggen, tapgen and logscope, the same as in the file `VERSION`. `Releases/release.py` writes both,
/// and a test compares them.
package let loggenVersion = "0.1.0"
