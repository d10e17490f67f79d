/**
 * What the service does besides searching files and keeping report schedules. `standin serve --contract contract.yaml --handlers
 * handlers.ts`. The types are made of the contract: `npx openapi-typescript contract.yaml -o contract.d.ts`.
 */
import { fileHandlers } from './file-handlers.ts'
import { fileSetHandlers } from './file-set-handlers.ts'
import { reportScheduleHandlers } from './report-schedule-handlers.ts'

export default [...fileSetHandlers, ...fileHandlers, ...reportScheduleHandlers]
