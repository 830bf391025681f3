// Rectangles, points and sizes are CoreGraphics' on Apple's platforms: `import Foundation` shows the types there, and not their members. On Linux
// Foundation has both, so that there is nothing to restate: a test looks for the imports, and this module lets them compile.
