/// The version of loggen, tapgen and logscope: that of the file `VERSION`. `Releases/release.py` writes both, and a test compares them.
package let loggenVersion = "0.1.0"
