/// The version of the tools, as in the file `VERSION`. `Releases/release.py` writes both; a test compares them.
package let loggenVersion = "0.1.0"
