// A file of the app beside generated code, which imports the runtime as files do.

import ActivityTracking
import Foundation

func record(_ event: some LogCategory) -> Data { Data(LogRecord(event).json) }
