// A file of the app next to generated code. It imports the runtime like any file of an app.

import ActivityTracking
import Foundation

func record(_ event: some LogCategory) -> Data { Data(LogRecord(event).json) }
