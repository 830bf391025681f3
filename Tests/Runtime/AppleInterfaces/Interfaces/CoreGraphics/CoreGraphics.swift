// On Apple's platforms, rectangles, points and sizes belong to CoreGraphics, and `import Foundation` exposes the types
// without their members. On Linux, Foundation has both, so nothing needs to be restated here. A test requires the
// imports, and this module lets them compile.
