// Generated from spec/control.openapi.yaml. Do not edit: run node scripts/generate-control-api.ts

export interface components {
  schemas: {
    /** @description A file to replay a run. Members that are not described are internal. */
    readonly ReplayDocument: {
      /**
       * @description What it is.
       * @constant
       */
      readonly format: 'standin-replay'
      /** @description The version of the format. */
      readonly version: number
      readonly sandbox: components['schemas']['Name']
      /** @description Digests of what the initial state was created from. */
      readonly fingerprint: object
      /** @description The settings that responses depend on, with the contents of the files that they name. */
      readonly settings: object
      /** @description The sandbox before the first event. */
      readonly start: object
      /** @description The events since. */
      readonly history: readonly components['schemas']['HistoryEvent'][]
      /** @description The requests and their responses. */
      readonly exchanges: readonly components['schemas']['ReplayExchange'][]
    }
    /** @description A request and its response. */
    readonly ReplayExchange: {
      /** @description The id of the request. */
      readonly requestId: string
      readonly now: components['schemas']['InstantText']
      readonly arrived?: components['schemas']['InstantText'] | undefined
      /** @description How many request ids were assigned, including its own. */
      readonly requests: number
      /** @description The number of the first event that it caused. */
      readonly firstEvent: number
      /** @description The number of the next event after it. */
      readonly nextEvent: number
      /**
       * @description The method.
       * @example POST
       */
      readonly method: string
      /** @description The target of the request. */
      readonly url: string
      /** @description Names and values alternately, without secrets. */
      readonly headers: readonly string[]
      /** @description The body; absent when there was none. */
      readonly body?: string | undefined
      /** @description Why it cannot be repeated; absent if it can. */
      readonly unrepeatable?: string | undefined
      /** @description The response. */
      readonly answer: {
        /** @description The status; 0 if there was no response. */
        readonly status: number
        /** @description Names and values alternately. */
        readonly headers: readonly string[]
        /** @description The body; absent if it was not kept, or only in part. */
        readonly body?: string | undefined
        /**
         * @description Present if the body is not UTF-8.
         * @constant
         */
        readonly encoding?: 'base64' | undefined
        /**
         * @description Present if a fault ended the connection before all of it was sent.
         * @constant
         */
        readonly isComplete?: false | undefined
      }
    }
    /** @description Events of a sandbox. */
    readonly HistoryPage: {
      /** @description The number of the first event that is kept. */
      readonly first: number
      /** @description Where to continue; at the end, the number of the next future event. */
      readonly next: number
      /** @description Events in the order in which they happened. */
      readonly events: readonly components['schemas']['HistoryEvent'][]
    }
    /** @description A change of the sandbox. Each type has its own members in addition to the common ones. */
    readonly HistoryEvent: {
      /** @description Counts from 0 in each sandbox. */
      readonly number: number
      readonly at: components['schemas']['InstantText']
      /** @description The request that caused it; absent for changes by the control API or by time. */
      readonly requestId?: string | undefined
      /**
       * @description What happened.
       * @example report-schedule.created
       */
      readonly type: string
      readonly reportSchedule?: components['schemas']['StoredReportSchedule'] | undefined
      /** @description The id of the report schedule. */
      readonly scheduleId?: number | undefined
      readonly run?: components['schemas']['StoredRun'] | undefined
      /** @description What the run sent. */
      readonly deliveries?: readonly components['schemas']['DeliveryRecord'][] | undefined
      /** @description Ids of deliveries, or of faults. */
      readonly ids?: readonly (number | string)[] | undefined
      /** @description The added fault. */
      readonly fault?: object | undefined
      /** @description The number of the next fault without an id of its own. */
      readonly nextFaultId?: number | undefined
      /** @description The fault that an exchange matched. */
      readonly faultId?: string | undefined
      /** @description Its counters. */
      readonly tally?: object | undefined
      readonly overrides?: components['schemas']['Overrides'] | undefined
      readonly clock?: components['schemas']['StoredClock'] | undefined
      readonly from?: components['schemas']['InstantText'] | undefined
      readonly to?: components['schemas']['InstantText'] | undefined
      readonly since?: components['schemas']['InstantText'] | undefined
      /** @description The id of the file set. */
      readonly fileSetId?: string | undefined
      /** @description What was added. */
      readonly files?: readonly components['schemas']['EntryRecord'][] | undefined
      /** @description What was removed. */
      readonly paths?: readonly string[] | undefined
      /** @description Where the file was. */
      readonly path?: string | undefined
      /**
       * @description The name of its collection.
       * @example customers/1/orders
       */
      readonly collection?: string | undefined
      /** @description The id of the document. */
      readonly id?: string | undefined
      /** @description The document after the change. */
      readonly document?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
      readonly hidden?: components['schemas']['HiddenFacts'] | undefined
      readonly file?: components['schemas']['EntryRecord'] | undefined
      /** @description The name of the checkpoint. */
      readonly name?: string | undefined
      readonly now?: components['schemas']['InstantText'] | undefined
      /** @description How many things of each kind the imported state has. */
      readonly counts?:
        | {
            readonly [key: string]: components['schemas']['Count']
          }
        | undefined
      /** @description The name of the stub that was used. */
      readonly stub?: string | undefined
      /** @description For how many requests it was used. */
      readonly uses?: number | undefined
      /** @description The scenario that it led on. */
      readonly scenario?:
        | {
            /** @description Its name. */
            readonly name: string
            /** @description Its new state. */
            readonly state: string
          }
        | undefined
      /** @description The stubs that were declared. */
      readonly stubs?:
        | readonly {
            readonly name: string
            readonly stub: {
              readonly [key: string]: unknown
            }
          }[]
        | undefined
      /** @description The names of the stubs that were removed. */
      readonly names?: readonly string[] | undefined
    }
    /** @description The state of the server. */
    readonly Health: {
      /**
       * @description `starting` until everything is loaded that the first request needs, `stopping` once it has been asked to stop.
       * @enum {string}
       */
      readonly status: 'starting' | 'ready' | 'stopping'
      /** @description The store that replicas share, as this replica saw it last; absent without `--store`. While it is away the replica is `ready`: requests are refused with 503 until it is back, and no other replica would do better. */
      readonly store?:
        | {
            /** @description `redis`, `memory`, or `custom`. */
            readonly kind: string
            /**
             * @description Whether it answered.
             * @enum {string}
             */
            readonly status: 'ready' | 'away'
            /** @description Sandboxes whose latest exchanges this replica has not stored yet. */
            readonly behind: number
          }
        | undefined
    }
    /**
     * @description 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, not beginning with a dot.
     * @example checkout-test
     */
    readonly Name: string
    /**
     * @description An ISO 8601 instant in UTC, with milliseconds.
     * @example 2026-03-05T14:30:00.000Z
     */
    readonly InstantText: string
    /**
     * @description An ISO 8601 instant with its zone, from the year 100 to 9999. Fractions of a millisecond are dropped.
     * @example 2026-03-05T14:30:00Z
     */
    readonly GivenInstant: string
    /**
     * Format: int64
     * @description An integer of 64 bits.
     */
    readonly Integer: number | bigint
    /** @description How many. */
    readonly Count: number
    /**
     * @description Determines request ids, cursors and random values.
     * @example 7
     */
    readonly Seed: number
    /** @description A sandbox to create. */
    readonly SandboxRequest: {
      readonly name: components['schemas']['Name']
      /**
       * @description The sandbox to copy. Defaults to the initial state.
       * @example default
       */
      readonly from?: string | undefined
      readonly seed?: components['schemas']['Seed'] | undefined
      readonly ttl?: components['schemas']['TimeToLive'] | undefined
    }
    /**
     * @description How long a sandbox lives while no request uses it, by the machine's clock: from 1 second to 365 days, as `90s`, `15m`, `1h` or ISO 8601. Null for a sandbox that does not expire. By default what `--sandbox-ttl` says.
     * @example PT1H
     */
    readonly TimeToLive: string | null
    /** @description A fork to create. */
    readonly ForkRequest: {
      readonly name: components['schemas']['Name']
      readonly seed?: components['schemas']['Seed'] | undefined
      readonly ttl?: components['schemas']['TimeToLive'] | undefined
      /** @description The number of an event that the history keeps: the fork starts with the state after it. A running clock shows the time of the event and goes on from there. The current state when absent. */
      readonly at?: number | undefined
      /** @description The id of an exchange of the journal: the fork starts with the state and the clock just before it, so that it can be repeated there. `at` is ignored. */
      readonly before?: number | undefined
      /** @description Whether the fork starts with the journal too: its exchanges up to the same moment, with `before` that one included. Verifications of the fork count them. */
      readonly journal?: boolean | undefined
    }
    /** @description The contents of a sandbox. */
    readonly SandboxSummary: {
      readonly name: components['schemas']['Name']
      readonly seed: components['schemas']['Seed']
      readonly clock: components['schemas']['ClockState']
      readonly fileSets: components['schemas']['Count']
      readonly files: components['schemas']['Count']
      readonly reportSchedules: components['schemas']['Count']
      readonly runs: components['schemas']['Count']
      readonly deliveries: components['schemas']['Count']
      /** @description Documents of its collections, those that they begin with included; nested ones once a request changed them. Absent for a contract without collections. */
      readonly documents?: components['schemas']['Count'] | undefined
      readonly checkpoints: components['schemas']['Count']
      /** @description How many request ids it has assigned. A fork and a restored sandbox continue the count of the state they have. */
      readonly requests: number
      /** @description How many exchanges its journal has. A fork begins with none. */
      readonly recorded: number
      readonly ttl: components['schemas']['TimeToLive']
      /**
       * Format: date-time
       * @description When it expires if no request uses it, by the machine's clock. Null for never.
       */
      readonly expiresAt: string | null
    }
    /** @description All sandboxes. */
    readonly SandboxList: {
      /** @description In creation order. */
      readonly sandboxes: readonly components['schemas']['SandboxSummary'][]
    }
    /** @description A checkpoint to create. */
    readonly CheckpointRequest: {
      readonly name: components['schemas']['Name']
    }
    /** @description A saved state. */
    readonly Checkpoint: {
      readonly name: components['schemas']['Name']
      readonly now: components['schemas']['InstantText']
      readonly fileSets: components['schemas']['Count']
      readonly files: components['schemas']['Count']
      readonly reportSchedules: components['schemas']['Count']
      readonly runs: components['schemas']['Count']
      readonly deliveries: components['schemas']['Count']
      /** @description Documents of its collections, those that they begin with included; nested ones once a request changed them. Absent for a contract without collections. */
      readonly documents?: components['schemas']['Count'] | undefined
    }
    /** @description All checkpoints of the sandbox. */
    readonly CheckpointList: {
      /** @description In creation order. */
      readonly checkpoints: readonly components['schemas']['Checkpoint'][]
    }
    /** @description A clock. */
    readonly ClockState: {
      /**
       * @description Whether it is frozen or running.
       * @enum {string}
       */
      readonly mode: 'frozen' | 'running'
      readonly now: components['schemas']['InstantText']
      /** @description How fast it runs; 0 if it is frozen, 1 for real time. */
      readonly rate: number
    }
    /** @description A setting of the clock. */
    readonly ClockRequest: {
      /**
       * @description Whether it is frozen or running.
       * @enum {string}
       */
      readonly mode: 'frozen' | 'running'
      /**
       * @description The time to set, or `machine` for the machine's clock. Defaults to its current time.
       * @example 2026-03-05T14:30:00Z
       * @example machine
       */
      readonly now?: string | undefined
      /**
       * @description How fast it runs. Defaults to 1. Only for a running clock.
       * @example 60
       */
      readonly rate?: number | undefined
    }
    /** @description Exactly one of the three. */
    readonly AdvanceRequest: {
      /**
       * @description An ISO 8601 duration; its calendar parts are counted in UTC.
       * @example P14D
       */
      readonly by?: string | undefined
      readonly to?: components['schemas']['GivenInstant'] | undefined
      /**
       * @description To the next run of any schedule.
       * @constant
       */
      readonly toNextRun?: true | undefined
    }
    /** @description The clock, and what happened. */
    readonly Advance: {
      readonly now: components['schemas']['InstantText']
      /** @description In order of time, then of the schedule's id. */
      readonly runs: readonly components['schemas']['PassedRun'][]
      /** @description Documents whose status changed by time, in order of time. Absent where there are none. */
      readonly transitions?: readonly components['schemas']['PassedTransition'][] | undefined
    }
    /** @description A status that changed by time. */
    readonly PassedTransition: {
      readonly at: components['schemas']['InstantText']
      /**
       * @description The name of the collection.
       * @example orders
       */
      readonly collection: string
      /**
       * @description The id of the document.
       * @example 7
       */
      readonly id: string
      /**
       * @description The member that holds the status, as a JSON pointer.
       * @example /status
       */
      readonly member: string
      /** @description The status before. */
      readonly from: string | number | boolean
      /** @description The status after. */
      readonly to: string | number | boolean
    }
    /** @description A run and its deliveries. */
    readonly PassedRun: {
      /** @description Counts from 1 in each sandbox. */
      readonly id: number
      readonly at: components['schemas']['InstantText']
      /** @description The id of the report schedule. */
      readonly scheduleId: number
      /** @description The title as it was then. */
      readonly title: string
      /**
       * @description The time zone as it was then.
       * @example America/New_York
       */
      readonly timezone: string
      /**
       * @description The instant in that time zone.
       * @example 2026-03-08T03:30:00-04:00
       */
      readonly localTime: string
      /** @description One for each recipient. */
      readonly deliveries: readonly components['schemas']['DeliveryRecord'][]
    }
    /** @description A run, and the schedule as it was then. */
    readonly RunRecord: {
      /** @description Counts from 1 in each sandbox. */
      readonly id: number
      readonly at: components['schemas']['InstantText']
      /** @description The id of the report schedule. */
      readonly scheduleId: number
      /** @description The title as it was then. */
      readonly title: string
      /**
       * @description The time zone as it was then.
       * @example America/New_York
       */
      readonly timezone: string
      /**
       * @description The instant in that time zone.
       * @example 2026-03-08T03:30:00-04:00
       */
      readonly localTime: string
      readonly reportSchedule: components['schemas']['StoredReportSchedule']
    }
    /** @description Runs. */
    readonly RunList: {
      readonly total: components['schemas']['Count']
      /** @description The latest ones, in the order in which they happened. */
      readonly runs: readonly components['schemas']['RunRecord'][]
    }
    /** @description A recipient of reports. */
    readonly Recipient: {
      /**
       * @description What the value is.
       * @example EMAIL
       * @example USER
       * @example GROUP
       */
      readonly type: string
      /**
       * @description An e-mail address, or the id of a user or a group.
       * @example jane@example.com
       */
      readonly value: string
    }
    /** @description What one run sent to one recipient. */
    readonly DeliveryRecord: {
      /** @description Counts from 1 in each sandbox. */
      readonly id: number
      /** @description The run that sent it. */
      readonly runId: number
      readonly at: components['schemas']['InstantText']
      /** @description The id of the report schedule. */
      readonly scheduleId: number
      readonly recipient: components['schemas']['Recipient']
      /** @description The title of the report. */
      readonly title: string
      /**
       * Format: int64
       * @description The page of the report.
       */
      readonly pageId: number | bigint | null
      /**
       * Format: int64
       * @description The view of the report.
       */
      readonly viewId: number | bigint | null
      /** @description Whether the report was attached. */
      readonly attachmentInclude: boolean
      /** @description The state of its mail. Only if deliveries are sent to a mail catcher (`--smtp`). */
      readonly mail?:
        | {
            /**
             * @description The state of the mail.
             * @enum {string}
             */
            readonly status: 'waiting' | 'sent' | 'failed'
            /** @description How often it was tried. */
            readonly attempts: number
            /** @description The last error. */
            readonly error?: string | undefined
          }
        | undefined
    }
    /** @description A mail. Users and groups have no address, so theirs is one such as `user-27@standin.invalid`. */
    readonly Message: {
      /** @description The sender. */
      readonly from: string
      /** @description The address of the recipient. */
      readonly to: string
      /** @description The title of the report. */
      readonly subject: string
      readonly date: components['schemas']['InstantText']
      /** @description The body, as plain text. */
      readonly text: string
      /** @description The report, if the schedule attaches it. */
      readonly attachments: readonly {
        /**
         * @description Its name.
         * @example report.csv
         */
        readonly filename: string
        /** @description Its text. */
        readonly content: string
      }[]
    }
    /** @description A delivery, and the mail that it is sent as. */
    readonly DeliveryWithMessage: {
      readonly delivery: components['schemas']['DeliveryRecord']
      /**
       * @description The time zone of the schedule as it was then.
       * @example America/New_York
       */
      readonly timezone: string
      /**
       * @description The instant in that time zone.
       * @example 2026-03-08T03:30:00-04:00
       */
      readonly localTime: string
      readonly message: components['schemas']['Message']
    }
    /** @description Deliveries. */
    readonly DeliveryList: {
      readonly total: components['schemas']['Count']
      /** @description The latest ones, in the order in which they were sent. */
      readonly deliveries: readonly components['schemas']['DeliveryRecord'][]
    }
    /** @description How many were deleted. */
    readonly Removed: {
      readonly removed: components['schemas']['Count']
    }
    /** @description When a report runs, and its recipients; null if a behaviour allowed a request to clear it. */
    readonly ScheduleSettings: {
      /**
       * @description WEEKLY, MONTHLY, or DAILY if a behaviour allows it.
       * @example WEEKLY
       */
      readonly frequency?: string | undefined
      /**
       * @description Weekdays such as MON, or days of the month such as 15.
       * @example MON
       */
      readonly daysToRun?: string | undefined
      /** @description Hour of the run in the time zone. */
      readonly hourOfDay?: number | undefined
      /** @description Minute of the run. */
      readonly minOfHour?: number | undefined
      /**
       * @description A time zone.
       * @example America/New_York
       */
      readonly timezone: string
      /** @description Whether it runs. */
      readonly enabled: boolean
      /** @description The recipients. */
      readonly additionalRecipients: readonly components['schemas']['Recipient'][]
      /** @description It does not run earlier, in milliseconds since the Unix epoch (`schedule.dates`). */
      readonly startDate?: number | undefined
      /** @description It does not run later, in milliseconds since the Unix epoch (`schedule.dates`). */
      readonly expirationDate?: number | undefined
      /** @description Additional members of the body that your own contract (`--contract`) names, as sent. */
      readonly added?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
    } | null
    /** @description A report schedule as it is stored. */
    readonly StoredReportSchedule: {
      /** @description Identifier of the report schedule. */
      readonly id: number
      /** @description Title of the report. */
      readonly title: string
      /**
       * Format: int64
       * @description The page of the report.
       */
      readonly pageId: number | bigint | null
      /**
       * Format: int64
       * @description The view of the report.
       */
      readonly viewId: number | bigint | null
      /** @description Whether the report is attached. */
      readonly attachmentInclude: boolean
      readonly ownerId: components['schemas']['Integer']
      readonly schedule: components['schemas']['ScheduleSettings']
      readonly written: components['schemas']['InstantText']
      /** @description How often it was created or updated. */
      readonly revision: number
      /** @description Additional members of the body that your own contract (`--contract`) names, as sent. */
      readonly added?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
    }
    /** @description A report schedule, and when it runs. */
    readonly ReportScheduleRecord: {
      /** @description Identifier of the report schedule. */
      readonly id: number
      /** @description Title of the report. */
      readonly title: string
      /**
       * Format: int64
       * @description The page of the report.
       */
      readonly pageId: number | bigint | null
      /**
       * Format: int64
       * @description The view of the report.
       */
      readonly viewId: number | bigint | null
      /** @description Whether the report is attached. */
      readonly attachmentInclude: boolean
      readonly ownerId: components['schemas']['Integer']
      readonly schedule: components['schemas']['ScheduleSettings']
      readonly written: components['schemas']['InstantText']
      /** @description How often it was created or updated. */
      readonly revision: number
      /**
       * @description Its next run; null if there is none.
       * @example 2026-03-09T12:30:00.000Z
       */
      readonly nextRun: string | null
      /**
       * @description Its last run; null if there was none.
       * @example null
       */
      readonly lastRun: string | null
      /** @description Additional members of the body that your own contract (`--contract`) names, as sent. */
      readonly added?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
    }
    /** @description All report schedules. */
    readonly ReportScheduleList: {
      /** @description By id. */
      readonly reportSchedules: readonly components['schemas']['ReportScheduleRecord'][]
    }
    /** @description A header. The values of keys and other secrets are [redacted]. */
    readonly HeaderRecord: {
      /** @description As it was sent. */
      readonly name: string
      /** @description As it was sent. */
      readonly value: string
    }
    /** @description A request of the emulated service, and its response. */
    readonly ExchangeRecord: {
      /** @description Counts from 1 in each sandbox, across resets. */
      readonly id: number
      /** @description The response's X-Request-Id. */
      readonly requestId: string
      readonly sandbox: components['schemas']['Name']
      readonly now: components['schemas']['InstantText']
      readonly answeredAt: components['schemas']['InstantText']
      /** @description From the head of the request to the end of the response. */
      readonly milliseconds: number
      /** @description Null if it matched no operation. */
      readonly operationId: string | null
      /** @description The request as received. */
      readonly request: {
        /** @description The method. */
        readonly method: string
        /** @description The request target. */
        readonly url: string
        /** @description In their order. */
        readonly headers: readonly components['schemas']['HeaderRecord'][]
        /** @description Null if there was none or it was not read. */
        readonly body: string | null
        /** @description Whether only the start of the body is kept. */
        readonly isCut: boolean
      }
      /** @description The response as sent; null if the connection ended without a byte. */
      readonly answer: {
        /** @description The status; 0 for bytes that are not an HTTP response. */
        readonly status: number
        /** @description In their order. */
        readonly headers: readonly components['schemas']['HeaderRecord'][]
        /** @description Null if there was none or it was dropped. */
        readonly body: string | null
        /**
         * @description Present if the body is not UTF-8.
         * @constant
         */
        readonly encoding?: 'base64' | undefined
        /** @description Whether all of it was sent before the connection ended. */
        readonly isComplete: boolean
        /** @description Whether only the start of the body is kept. */
        readonly isCut: boolean
        /** @description Whether the body was dropped to make room. */
        readonly isForgotten: boolean
      } | null
      /** @description Whether it changed the state. */
      readonly hasChanged: boolean
      /** @description Behaviours that the response depended on. */
      readonly behaviours: readonly string[]
      /** @description Why it was refused. */
      readonly problem: string | null
      /** @description Everything that was wrong with the request, also of one that was handled without that (`--validation warn`). */
      readonly issues: readonly components['schemas']['Issue'][]
      /** @description The kind of fault that was applied. */
      readonly fault: string | null
      /** @description The id of that fault; absent if there was none. */
      readonly faultId?: string | undefined
      /** @description The token of the next page; absent if the response is not a page that has one. */
      readonly next?: string | undefined
      /** @description The sandbox in which it happened, if that is not this one but the one that this one was forked from. */
      readonly copiedFrom?: string | undefined
      /** @description The id of the exchange that a browser silently repeated with this one; absent otherwise. The fault counts it once. */
      readonly repeats?: number | undefined
      /** @description The stack of a defect of the mock; absent if there was none. */
      readonly defect?: string | undefined
    }
    /** @description One error. */
    readonly Issue: {
      /** @description Where in the body. */
      readonly pointer?: string | undefined
      /** @description Which parameter. */
      readonly parameter?: string | undefined
      /** @description Which header. */
      readonly header?: string | undefined
      /** @description A code for programs. */
      readonly code: string
      /** @description A message for people. */
      readonly message: string
      /** @description What was expected. */
      readonly expected: string
      /** @description What was received. */
      readonly received?: string | undefined
      /** @description The source of the rule. */
      readonly source?: string | undefined
    }
    /** @description Exchanges. */
    readonly ExchangeList: {
      readonly total: components['schemas']['Count']
      /** @description How many matching exchanges were dropped. */
      readonly forgotten: number
      /** @description The value of `after` for the next page. */
      readonly next: number | null
      /** @description In the order of the responses. */
      readonly exchanges: readonly components['schemas']['ExchangeRecord'][]
    }
    /** @description What an exchange must match; all given members must match. In patterns `*` matches any characters. */
    readonly ExchangeMatch: {
      /**
       * @description The operation.
       * @example searchFiles
       */
      readonly operationId?: string | undefined
      /** @description The method. */
      readonly method?: string | undefined
      /** @description A pattern for the whole path as sent. */
      readonly path?: string | undefined
      /**
       * @description A status, a class such as 4XX, or 0 for an exchange without a response.
       * @example 4XX
       */
      readonly status?: (number | string) | undefined
      /** @description Patterns for values of query parameters; null requires that there is none. */
      readonly query?:
        | {
            readonly [key: string]: string | null
          }
        | undefined
      /** @description Patterns for values of request headers; null requires that there is none. */
      readonly headers?:
        | {
            readonly [key: string]: string | null
          }
        | undefined
      /** @description A pattern for a part of the request body. */
      readonly body?: string | undefined
      /** @description JSON that the request body must contain: objects may have further members. */
      readonly json?: unknown | undefined
      /** @description A pattern for a part of the response body. */
      readonly answer?: string | undefined
      /** @description The kind of fault that was applied to it. */
      readonly fault?: string | undefined
    }
    /** @description A count of matching exchanges, an order, or a client behaviour. */
    readonly Expectation: {
      /** @description Repeated in the result. */
      readonly name?: string | undefined
      readonly match?: components['schemas']['ExchangeMatch'] | undefined
      /** @description Exactly this many exchanges match. */
      readonly exactly?: number | undefined
      /** @description At least this many. Defaults to 1 if no other count is given. */
      readonly atLeast?: number | undefined
      /** @description At most this many. */
      readonly atMost?: number | undefined
      /** @description Exchanges match one after the other. Others may come between. */
      readonly order?: readonly components['schemas']['ExchangeMatch'][] | undefined
      /**
       * @description Every walk through the pages of a search reached its last page, and no page was fetched twice. A page that was refused does not count as fetched.
       * @constant
       */
      readonly walkedEveryPageOnce?: true | undefined
      /** @description After each 429 the same key sent nothing for this many seconds. It fails if there was no 429. */
      readonly backedOffAtLeast?: number | undefined
      /**
       * @description The clock of backedOffAtLeast: that of the sandbox, which a test can advance, or that of the machine. Defaults to the one that shows more.
       * @enum {string}
       */
      readonly clock?: ('either' | 'sandbox' | 'machine') | undefined
      /**
       * @description No key repeated a create after it was stored, unless with the same Idempotency-Key. One that was refused may be repeated.
       * @constant
       */
      readonly neverSentSameCreateTwice?: true | undefined
      /**
       * @description Each webhook or callback that was sent was accepted with 2xx, at the latest when it was sent again. It fails if none was sent.
       * @constant
       */
      readonly acceptedEveryWebhook?: true | undefined
      /**
       * @description What holds for every client: each page once, to the last; no create twice; nothing sent before Retry-After is over, or within a second of a 429 without it; no request again unchanged that was refused as wrong; no GET again within a second while nothing changed.
       * @constant
       */
      readonly goodClient?: true | undefined
    }
    /** @description Expectations about the exchanges. */
    readonly VerifyRequest: {
      /** @description Only exchanges with greater ids. */
      readonly after?: number | undefined
      /**
       * @description All of them must pass.
       * @example [
       *       {
       *         "match": {
       *           "operationId": "createReportSchedule",
       *           "status": 200
       *         },
       *         "exactly": 1
       *       },
       *       {
       *         "walkedEveryPageOnce": true
       *       },
       *       {
       *         "backedOffAtLeast": 2
       *       }
       *     ]
       */
      readonly expectations: readonly components['schemas']['Expectation'][]
    }
    /** @description The results. */
    readonly Verification: {
      /** @description Whether all expectations pass. */
      readonly passed: boolean
      /** @description How many exchanges were checked. */
      readonly exchanges: number
      /** @description How many exchanges were dropped before. */
      readonly forgotten: number
      /** @description In the order of the expectations. */
      readonly results: readonly {
        /** @description As given. */
        readonly name: string | null
        /** @description Whether it passes. */
        readonly passed: boolean
        /** @description In words. */
        readonly expected: string
        /** @description In words. */
        readonly received: string
        /** @description The ids of the first exchanges that matched. */
        readonly matched: readonly number[]
        /** @description The nearest mismatches, or what was wrong. */
        readonly misses: readonly components['schemas']['Miss'][]
        /** @description How many mismatches are not listed. */
        readonly more: number
      }[]
    }
    /** @description Exchanges that almost match, or are wrong. */
    readonly Miss: {
      /** @description Their ids. */
      readonly exchanges: readonly number[]
      /** @description Method, target and status of the last of them. */
      readonly summary: string
      /** @description What differed. */
      readonly differences: readonly {
        /** @description The part of the exchange, such as its status. */
        readonly what: string
        /** @description What was expected. */
        readonly expected: string
        /** @description What was received. */
        readonly received: string
      }[]
    }
    /** @description An HTTP Archive 1.2. */
    readonly Har: {
      /** @description The exchanges. */
      readonly log: {
        /**
         * @description Of the format.
         * @constant
         */
        readonly version: '1.2'
        /** @description The program that wrote it. */
        readonly creator: {
          /** @description Standin. */
          readonly name: string
          /** @description Of this form. */
          readonly version: string
        }
        /** @description Empty: no browser loaded a page. */
        readonly pages: readonly object[]
        /** @description The exchanges. */
        readonly entries: readonly components['schemas']['HarEntry'][]
      }
    }
    /** @description A request and its response. Members that begin with an underscore are not part of the format. */
    readonly HarEntry: {
      readonly startedDateTime: components['schemas']['InstantText']
      /** @description Milliseconds. */
      readonly time: number
      /** @description The request. */
      readonly request: {
        /** @description The method. */
        readonly method: string
        /** @description The whole address. */
        readonly url: string
        /**
         * @description The version.
         * @constant
         */
        readonly httpVersion: 'HTTP/1.1'
        /** @description None. */
        readonly cookies: readonly object[]
        /** @description In their order. */
        readonly headers: readonly components['schemas']['HeaderRecord'][]
        /** @description Decoded. */
        readonly queryString: readonly components['schemas']['HeaderRecord'][]
        /** @description The body. */
        readonly postData?:
          | {
              /** @description The media type. */
              readonly mimeType: string
              /** @description The body. */
              readonly text: string
              /** @description Whether it is cut. */
              readonly comment?: string | undefined
            }
          | undefined
        /** @description Always -1. */
        readonly headersSize: number
        /** @description Bytes. */
        readonly bodySize: number
      }
      /** @description The response; its status is 0 if there was none. */
      readonly response: {
        /** @description The status. */
        readonly status: number
        /** @description The status in words. */
        readonly statusText: string
        /**
         * @description The version.
         * @constant
         */
        readonly httpVersion: 'HTTP/1.1'
        /** @description None. */
        readonly cookies: readonly object[]
        /** @description In their order. */
        readonly headers: readonly components['schemas']['HeaderRecord'][]
        /** @description The body. */
        readonly content: {
          /** @description Bytes. */
          readonly size: number
          /** @description The media type. */
          readonly mimeType: string
          /** @description The body. */
          readonly text?: string | undefined
          /**
           * @description Present if the body is not UTF-8.
           * @constant
           */
          readonly encoding?: 'base64' | undefined
          /** @description Whether it is cut, dropped or incomplete. */
          readonly comment?: string | undefined
        }
        /** @description Empty. */
        readonly redirectURL: string
        /** @description Always -1. */
        readonly headersSize: number
        /** @description Bytes; -1 if a response is incomplete and not all of it is kept. */
        readonly bodySize: number
      }
      /** @description Nothing. */
      readonly cache: object
      /** @description All of it is waiting time. Milliseconds. */
      readonly timings: {
        /** @description To send the request. */
        readonly send: number
        /** @description To wait for the response. */
        readonly wait: number
        /** @description To receive it. */
        readonly receive: number
      }
      /** @description Why it was refused. */
      readonly comment?: string | undefined
      /** @description The id of the exchange. */
      readonly _id: number
      /** @description The sandbox. */
      readonly _sandbox: string
      /** @description The operation. */
      readonly _operationId: string | null
    }
    /** @description A file set to create, with given files or generated ones; empty with neither. */
    readonly FileSetRequest: {
      /**
       * @description Any text that is not empty.
       * @example finance
       */
      readonly id: string
      /** @description The files and directories. */
      readonly files?: readonly components['schemas']['GivenFile'][] | undefined
      /**
       * @description How many files to generate from the seed.
       * @example 1000
       */
      readonly generate?: number | undefined
    }
    /** @description A file set. */
    readonly FileSetSummary: {
      /** @description Identifier of the file set. */
      readonly id: string
      readonly files: components['schemas']['Count']
      readonly directories: components['schemas']['Count']
      /** @description How often it was changed. */
      readonly version: number
    }
    /** @description All file sets. */
    readonly FileSetList: {
      /** @description In creation order. */
      readonly fileSets: readonly components['schemas']['FileSetSummary'][]
    }
    /**
     * @description A file or a directory as in a fixture file. Omitted fields are generated from the path. Fields that your own contract
     *     (`--contract`) adds to the entries of a search are accepted; others are refused.
     */
    readonly GivenFile: {
      /** @description Identifier of the entry. */
      readonly id?: string | undefined
      /**
       * @description Full path, without a slash at either end.
       * @example reports/2026/q1.pdf
       */
      readonly path: string
      /** @description The end of the path; best omitted. */
      readonly name?: string | undefined
      /** @description Category of the file; DIRECTORY for a directory. */
      readonly fileType?: string | undefined
      /** @description Media type. */
      readonly contentType?: string | undefined
      /**
       * Format: int64
       * @description Bytes.
       */
      readonly size?: (number | bigint | null) | undefined
      /** @description Hexadecimal digest. */
      readonly hash?: string | undefined
      /** @description The algorithm of the digest. */
      readonly hashAlgorithm?: string | undefined
      /** @description May be empty. */
      readonly downloadUrl?: string | undefined
      /**
       * @description An ISO 8601 instant.
       * @example 2026-03-31T09:00:00.000Z
       */
      readonly created?: string | undefined
      /**
       * Format: int64
       * @description The user who created it.
       */
      readonly createdBy?: (number | bigint) | undefined
      /** @description Null or any value. */
      readonly connectorKey?: unknown | undefined
      /** @description Null or any value. */
      readonly indexStatus?: unknown | undefined
      /** @description Null or any value. */
      readonly indexReason?: unknown | undefined
    }
    /** @description The fields to change, including those that your own contract adds. */
    readonly FileChange: {
      /**
       * @description Its new path.
       * @example archive/q1.pdf
       */
      readonly path?: string | undefined
      /** @description Media type. */
      readonly contentType?: string | undefined
      /** @description Category of the file. A file stays a file. */
      readonly fileType?: string | undefined
      /**
       * Format: int64
       * @description Bytes.
       */
      readonly size?: (number | bigint) | undefined
      /** @description Hexadecimal digest. */
      readonly hash?: string | undefined
      /** @description The algorithm of the digest. */
      readonly hashAlgorithm?: string | undefined
      /** @description May be empty. */
      readonly downloadUrl?: string | undefined
      /**
       * @description An ISO 8601 instant.
       * @example 2026-03-31T09:00:00.000Z
       */
      readonly created?: string | undefined
      /**
       * Format: int64
       * @description The user who created it.
       */
      readonly createdBy?: (number | bigint) | undefined
      /** @description Null or any value. */
      readonly connectorKey?: unknown | undefined
      /** @description Null or any value. */
      readonly indexStatus?: unknown | undefined
      /** @description Null or any value. */
      readonly indexReason?: unknown | undefined
    }
    /** @description Files and directories to add. */
    readonly FilesRequest: {
      /** @description The files and directories. */
      readonly files: readonly components['schemas']['GivenFile'][]
    }
    /**
     * @description A file record, or a directory entry, as the search operation shows it, fields that a contract of your own adds
     *     among them.
     */
    readonly EntryRecord: {
      /** @description Identifier of the entry. */
      readonly id: string
      /**
       * @description Full path, without a slash at either end.
       * @example reports/2026/q1.pdf
       */
      readonly path: string
      /** @description The end of the path; best omitted. */
      readonly name: string
      /** @description Category of the file; DIRECTORY for a directory. */
      readonly fileType: string
      /** @description Media type. */
      readonly contentType?: string | undefined
      /**
       * Format: int64
       * @description Bytes.
       */
      readonly size: number | bigint | null
      /** @description Hexadecimal digest. */
      readonly hash?: string | undefined
      /** @description The algorithm of the digest. */
      readonly hashAlgorithm?: string | undefined
      /** @description May be empty. */
      readonly downloadUrl?: string | undefined
      /**
       * @description An ISO 8601 instant.
       * @example 2026-03-31T09:00:00.000Z
       */
      readonly created: string
      /**
       * Format: int64
       * @description The user who created it.
       */
      readonly createdBy: number | bigint
      /** @description Null or any value. */
      readonly connectorKey?: unknown | undefined
      /** @description Null or any value. */
      readonly indexStatus?: unknown | undefined
      /** @description Null or any value. */
      readonly indexReason?: unknown | undefined
    }
    /** @description Entries of a file set. */
    readonly FileList: {
      readonly total: components['schemas']['Count']
      /** @description The entries. */
      readonly files: readonly components['schemas']['EntryRecord'][]
    }
    /** @description Directories of a file set. */
    readonly DirectoryList: {
      readonly total: components['schemas']['Count']
      /** @description The directories. */
      readonly directories: readonly components['schemas']['Directory'][]
    }
    /** @description A directory, as a tree shows it. */
    readonly Directory: {
      /**
       * @description Full path, without a slash at either end.
       * @example reports/2026
       */
      readonly path: string
      /** @description The end of the path. */
      readonly name: string
      /** @description Files, and directories that were added as such, at any depth below it. */
      readonly entries: number
      /** @description Whether it has directories. */
      readonly hasDirectories: boolean
    }
    /** @description Everything in a sandbox except its checkpoints. */
    readonly StateDocument: {
      /**
       * @description What this document is.
       * @constant
       */
      readonly format: 'standin-state'
      /** @description The version of the format; currently 1. */
      readonly version: number
      readonly seed: components['schemas']['Seed']
      readonly clock: components['schemas']['StoredClock']
      readonly requests: components['schemas']['Count']
      /** @description The id that the next report schedule gets. */
      readonly nextReportScheduleId: number
      /** @description The id that the next run gets. */
      readonly nextRunId: number
      /** @description The id that the next delivery gets. */
      readonly nextDeliveryId: number
      readonly runsSince: components['schemas']['InstantText']
      /** @description The file sets. */
      readonly fileSets: readonly components['schemas']['StoredFileSet'][]
      /** @description The report schedules. */
      readonly reportSchedules: readonly components['schemas']['StoredReportSchedule'][]
      /** @description How far the runs of each report schedule have been processed. A schedule that is not listed is processed up to its last update. */
      readonly progress: readonly components['schemas']['Progress'][]
      /** @description The runs, in the order in which they happened. */
      readonly runs: readonly components['schemas']['StoredRun'][]
      /** @description The deliveries, in the order in which they were sent. */
      readonly deliveries: readonly components['schemas']['DeliveryRecord'][]
      /** @description The faults, in the order in which they were added. Defaults to none. */
      readonly faults?: readonly components['schemas']['StoredFault'][] | undefined
      /** @description The number of the next fault without an id of its own. */
      readonly nextFaultId?: number | undefined
      /** @description What replicas that share the sandbox know of rate limits that requests met. */
      readonly rateLimits?:
        | readonly {
            /** @description The fault; absent for the behaviour `rate.limit`. */
            readonly faultId?: string | undefined
            /** @description The number of the window, counted from the epoch. */
            readonly window: number
            /** @description The requests that the behaviour has counted in it. */
            readonly taken: number
            /** @description When refused clients may continue by the clock of the machine, epoch ms. */
            readonly until?: number | undefined
          }[]
        | undefined
      /** @description How often each stub that counts its requests was used, by its name. Defaults to none. */
      readonly stubUses?:
        | {
            readonly [key: string]: components['schemas']['Count']
          }
        | undefined
      /** @description The state of each scenario that has left its first one, by its name. Defaults to none. */
      readonly stubScenarios?:
        | {
            readonly [key: string]: string
          }
        | undefined
      /** @description The stubs that were declared while the server runs, in the order of their precedence. Defaults to none. */
      readonly declaredStubs?:
        | readonly {
            readonly name: string
            /** @description As it was declared. */
            readonly stub: object
          }[]
        | undefined
      readonly behaviours?: components['schemas']['Overrides'] | undefined
      /** @description The seed that the first documents of collections are made by. Defaults to `seed`; a fork with a seed of its own keeps that of its parent. */
      readonly collectionSeed?: components['schemas']['Seed'] | undefined
      /** @description Documents of collections. Defaults to none. */
      readonly collections?: readonly components['schemas']['StoredCollection'][] | undefined
    }
    /** @description Documents of one kind. */
    readonly StoredCollection: {
      /**
       * @description The name of the collection. That of a nested one is its path, with the ids of its parents percent-encoded.
       * @example orders
       * @example customers/1/orders
       */
      readonly name: string
      /** @description How many documents were ever created in it. */
      readonly made: number
      /** @description In creation order. */
      readonly documents: readonly components['schemas']['StoredDocument'][]
      /** @description The ids that were removed last and not created again, the latest last. Defaults to none. */
      readonly removed?: readonly string[] | undefined
    }
    /** @description A document and its id. */
    readonly StoredDocument: {
      /**
       * @description Its id in the collection.
       * @example 7
       */
      readonly id: string
      /** @description Any JSON object. */
      readonly document: {
        readonly [key: string]: unknown
      }
      readonly hidden?: components['schemas']['HiddenFacts'] | undefined
      /** @description The number of its creation. Defaults to the one after that of the document before it. */
      readonly number?: number | undefined
    }
    /**
     * @description The document itself, without an envelope.
     * @example {
     *       "name": "Rex",
     *       "status": "new"
     *     }
     */
    readonly AnyDocument: {
      readonly [key: string]: unknown
    }
    /** @description Documents of a collection. */
    readonly DocumentList: {
      readonly total: components['schemas']['Count']
      /** @description In creation order. */
      readonly documents: readonly components['schemas']['StoredDocument'][]
    }
    /** @description The collections of a sandbox. */
    readonly CollectionList: {
      /** @description Those of the contract. */
      readonly collections: readonly components['schemas']['Collection'][]
      /** @description Those that were changed, that fixtures have, or that handlers made. All others are as they began. */
      readonly instances: readonly components['schemas']['CollectionInstance'][]
    }
    /** @description A collection of the contract. */
    readonly Collection: {
      /**
       * @description Its name, with the parameters of its path.
       * @example customers/{customerId}/orders
       */
      readonly name: string
      /**
       * @description The path that its items lie below, as it is served.
       * @example /v1/customers
       */
      readonly path: string
      /**
       * @description What one of its items is called.
       * @example order
       */
      readonly noun: string
      /** @description Whether it is one document that always exists. */
      readonly isSingleton: boolean
      readonly identity: components['schemas']['CollectionIdentity']
      /** @description The name of the collection whose items it belongs to. */
      readonly parent: string | null
      /** @description How many documents it has. The first ones are made when something first asks for them; until then it is how many they are to be, at most. null where each parent has documents of its own, and where fixtures add to many that are not made yet. */
      readonly count: number | null
      /** @description The operations that work on it. */
      readonly operations: readonly components['schemas']['CollectionOperation'][]
    }
    /** @description What identifies a document. */
    readonly CollectionIdentity: {
      /**
       * @description A JSON pointer to the member that holds the id. null if documents do not show it.
       * @example /id
       */
      readonly member: string | null
      /**
       * @description What ids look like.
       * @enum {string}
       */
      readonly type: 'integer' | 'uuid' | 'text'
    }
    /** @description What an operation does with a collection. */
    readonly CollectionOperation: {
      /** @description The operationId of the contract. */
      readonly operationId: string
      /** @description The HTTP method. */
      readonly method: string
      /** @description The path template. */
      readonly path: string
      /**
       * @description What it does.
       * @example list
       * @example create
       * @example read
       */
      readonly role: string
      /** @description Why it was taken for this. */
      readonly reason: string
    }
    /** @description The documents of a collection, or of one parent. */
    readonly CollectionInstance: {
      /**
       * @description Its name.
       * @example customers/1/orders
       */
      readonly name: string
      /** @description The name of its collection. null for one that only handlers know. */
      readonly collection: string | null
      readonly count: components['schemas']['Count']
    }
    /** @description What the documents of a collection look like. */
    readonly CollectionSchema: {
      /**
       * @description The name of the collection in the contract. null for one that only handlers know.
       * @example customers/{customerId}/orders
       */
      readonly collection: string | null
      /** @description The JSON Schema of a document, as the contract has it. What it refers to is in its `$defs`. */
      readonly schema: {
        readonly [key: string]: unknown
      }
      /** @description Whether it allows more than the contract does in some places. Schemas are shortened to about 256 KB. */
      readonly isShortened: boolean
      /** @description Members whose value may only change in certain ways. Empty for none. */
      readonly statuses: readonly components['schemas']['StatusMember'][]
      /** @description Members that name documents of other collections. */
      readonly references: readonly components['schemas']['CollectionReference'][]
      /** @description The operations that list its documents. */
      readonly lists: readonly components['schemas']['CollectionListOperation'][]
    }
    /** @description How a status of documents may change. */
    readonly StatusMember: {
      /**
       * @description The member as a JSON pointer.
       * @example /status
       */
      readonly member: string
      /** @description What may follow each status. */
      readonly changes: readonly {
        /** @description The status. */
        readonly from: string | number | boolean
        /** @description What requests may change it to. Empty for nothing. */
        readonly to: readonly (string | number | boolean)[]
        /** @description What time changes it to. Absent for nothing. */
        readonly byTime?:
          | {
              /** @description The status after. */
              readonly to: string | number | boolean
              /** @description How long after the status was set. */
              readonly milliseconds: number
            }
          | undefined
      }[]
    }
    /** @description A member that names documents. */
    readonly CollectionReference: {
      /**
       * @description The member as a JSON pointer, with `*` for each element of a list.
       * @example /customerId
       * @example /lines/*\/productId
       */
      readonly member: string
      /**
       * @description The name of the collection.
       * @example customers
       */
      readonly collection: string
    }
    /** @description An operation that lists documents. */
    readonly CollectionListOperation: {
      /** @description The operationId of the contract. */
      readonly operationId: string
      /** @description The path template. */
      readonly path: string
      /** @description The names of its path parameters. */
      readonly pathParameters: readonly string[]
      /** @description The names of its query parameters. */
      readonly queryParameters: readonly string[]
    }
    /** @description Facts that are kept beside a document and shown in no response, such as the ids of its parents. Defaults to none. */
    readonly HiddenFacts: {
      readonly [key: string]: unknown
    }
    /**
     * @description This server, or the service.
     * @enum {string}
     */
    readonly AnswererName: 'mock' | 'upstream'
    readonly WebhookTarget: {
      /**
       * @description An address of this machine, or of a host that `--allow-callback` names. Null for none.
       * @example http://127.0.0.1:3000/hooks
       */
      readonly url: string | null
    }
    /** @description The webhooks and callbacks of a sandbox. */
    readonly WebhookList: {
      /** @description Where webhooks go; null where they are only kept. */
      readonly target: string | null
      /** @description What they are signed with. */
      readonly secret: string
      readonly total: number
      /** @description How many older ones are no longer kept. */
      readonly forgotten: number
      /** @description Of those, and of those that never waited because too many did, the ones that no receiver accepted. */
      readonly lost: number
      readonly webhooks: readonly components['schemas']['WebhookRecord'][]
    }
    /** @description A message that the service sends by itself. */
    readonly WebhookRecord: {
      /** @description The same in every attempt. */
      readonly id: string
      /** @description Its name in the contract; of a callback after the operation that registered it. */
      readonly webhook: string
      readonly event: string
      /**
       * Format: date-time
       * @description By the clock of the sandbox.
       */
      readonly createdAt: string
      readonly method: string
      /** @description Null for one without an address. */
      readonly url: string | null
      /**
       * @description `captured` is one that is only kept: it has no address, or one of another machine. `failed` is one that is not attempted again.
       * @enum {string}
       */
      readonly status: 'captured' | 'waiting' | 'delivered' | 'failed'
      /** @description Why it is captured or failed. */
      readonly why?: string | undefined
      /**
       * Format: date-time
       * @description By the clock of the sandbox; absent for none.
       */
      readonly nextAttempt?: string | undefined
      /** @description The item whose change it tells; absent where no item was changed. */
      readonly about?:
        | {
            readonly collection: string
            readonly id: string
          }
        | undefined
      /** @description As it is sent. */
      readonly body: string
      readonly attempts: readonly components['schemas']['WebhookAttempt'][]
    }
    readonly WebhookAttempt: {
      /**
       * Format: date-time
       * @description By the clock of the sandbox.
       */
      readonly at: string
      /** @description Whether the response was 2xx. */
      readonly isAccepted: boolean
      /** @description Of the response; absent where none came. */
      readonly status?: number | undefined
      /** @description Why no response came. */
      readonly error?: string | undefined
    }
    /** @description Who handles each operation. */
    readonly AnswererList: {
      /** @description The address of the service; null where this server handles all. */
      readonly url: string | null
      readonly operations: readonly components['schemas']['AnsweringOperation'][]
    }
    /** @description Who handles one operation. */
    readonly AnsweringOperation: {
      readonly operationId: string
      readonly method: string
      readonly path: string
      readonly answeredBy: components['schemas']['AnswererName']
    }
    readonly AnswererChange: {
      /** @description By operationId, as `GET /orders`, or with others as `tag:orders`. */
      readonly operations: {
        readonly [key: string]: components['schemas']['AnswererName']
      }
    }
    /** @description Overrides by behaviour id, written as in a configuration file. Defaults to none. */
    readonly Overrides: {
      readonly [key: string]: unknown
    }
    /** @description Open questions of the interface, and their settings in one sandbox. */
    readonly BehavioursDocument: {
      /** @description The profile that the process was started with. */
      readonly profile: string
      readonly overrides: components['schemas']['Overrides']
      /** @description In the order of `spec/behaviours.yaml`. */
      readonly behaviours: readonly components['schemas']['BehaviourRecord'][]
    }
    /** @description One open question. */
    readonly BehaviourRecord: {
      readonly id: string
      readonly section: string
      readonly question: string
      /** @description The default, as a full rule in words. */
      readonly answer: string
      /** @description The setting in the sandbox. */
      readonly setting: unknown
      /** @description Whether responses of the contract's operations can depend on it. */
      readonly applies: boolean
      /** @description The default setting. */
      readonly default: unknown
      /** @description The possible settings; absent if there is only one. */
      readonly options?: unknown | undefined
      /** @description What the other settings do, where their names do not say it. */
      readonly alternatives?: string | undefined
      /** @description How certain the default is: documented, observed, standard, assumed, or protects. */
      readonly basis: string
      /** @description Why this default. */
      readonly reason: string
    }
    readonly OpenApiDocument: {
      readonly openapi: string
      readonly info: {
        readonly [key: string]: unknown
      }
    } & {
      readonly [key: string]: unknown
    }
    /** @description What was used of a contract. The reports of several runs can be merged (`standin coverage`). */
    readonly CoverageReport: {
      /** @constant */
      readonly format: 'standin-coverage-1'
      /** @description Title and version of the contract. */
      readonly contract: string
      /** @description How many sandboxes got requests. */
      readonly sandboxes: number
      /** @description Requests to operations of the contract. */
      readonly requests: number
      readonly total: components['schemas']['CoverageShare']
      /** @description The shares by kind. */
      readonly kinds: readonly components['schemas']['CoverageKind'][]
      readonly operations: readonly components['schemas']['CoverageOperation'][]
      /** @description The behaviours that responses depended on. They do not count towards the shares. */
      readonly behaviours: readonly components['schemas']['CoverageBehaviour'][]
      /** @description All kinds of faults, and how many requests met them. They do not count towards the shares. */
      readonly faults: readonly components['schemas']['CoverageCount'][]
      /** @description Requests to no operation of the contract, such as `GET /orders`. Of different ones 20 are kept. */
      readonly unmatched: readonly components['schemas']['CoverageCount'][]
    }
    /** @description How much is covered. */
    readonly CoverageShare: {
      readonly covered: number
      readonly total: number
      /** @description Rounded down to one decimal place. 100 for nothing to cover. */
      readonly percent: number
    }
    /** @description How much of one kind is covered. */
    readonly CoverageKind: {
      /**
       * @example parameters
       * @example statuses
       * @example sort fields
       */
      readonly kind: string
      readonly covered: number
      readonly total: number
      readonly percent: number
    }
    /** @description What was used of an operation. */
    readonly CoverageOperation: {
      readonly operationId: string
      readonly method: string
      readonly path: string
      /** @description What handles it. */
      readonly handler: string
      readonly requests: number
      readonly covered: number
      readonly total: number
      readonly percent: number
      /** @description Everything that can be covered. */
      readonly items: readonly components['schemas']['CoverageItem'][]
      /** @description What requests sent and responses had that the contract does not document, such as `status 418`. */
      readonly undocumented: readonly components['schemas']['CoverageCount'][]
    }
    /** @description Something that requests can use, and how many did. */
    readonly CoverageItem: {
      /** @example parameters */
      readonly kind: string
      /**
       * @example limit
       * @example schedule.enabled = false
       */
      readonly name: string
      readonly count: number
    }
    /** @description A name, and how many requests it counts. */
    readonly CoverageCount: {
      readonly name: string
      readonly count: number
    }
    /** @description A behaviour that responses depended on. */
    readonly CoverageBehaviour: {
      readonly id: string
      /**
       * @description What its setting rests on. `calibrated` for one of a profile that `standin calibrate` wrote.
       * @enum {string}
       */
      readonly basis: 'documented' | 'observed' | 'standard' | 'assumed' | 'protects' | 'calibrated'
      readonly question: string
      /** @description How many responses depended on it. */
      readonly count: number
      readonly operations: readonly string[]
    }
    /** @description Information about the process. */
    readonly Info: {
      /** @constant */
      readonly name: 'standin'
      readonly version: string
      /** @description The version of Node. */
      readonly node: string
      /** @description The file of the OpenAPI document. */
      readonly contract: string
      /**
       * @description The options of `createStandin` that responses depend on and that are not the default, without keys. `clock` is always there: the moment that generated data is older than.
       * @example {
       *       "contract": "openapi.yaml",
       *       "seed": 7,
       *       "clock": "2026-03-05T00:00:00.000Z"
       *     }
       */
      readonly options: {
        readonly [key: string]: unknown
      }
      readonly operations: readonly components['schemas']['InfoOperation'][]
      /** @description Whether the contract describes webhooks or callbacks. */
      readonly hasWebhooks: boolean
      /** @description Whether operations of the contract send streams or wait for something new. */
      readonly hasStreams: boolean
      readonly profile: string
      readonly sandboxes: number
      readonly maxSandboxes: number
      /**
       * Format: date-time
       * @description When the process became ready.
       */
      readonly startedAt: string
    }
    /** @description An operation of the emulated service. */
    readonly InfoOperation: {
      readonly operationId: string
      readonly method: string
      readonly path: string
      /** @description What the contract's server adds before the path. Absent for nothing. */
      readonly basePath?: string | undefined
      /**
       * @description What handles it: a built-in operation such as `searchFiles`, or `own`, `generated` or `refused`.
       * @example searchFiles
       */
      readonly handler: string
      /** @description The collection that it works on. Absent for none. */
      readonly collection?: string | undefined
      /**
       * @description The headers that send an API key, with `{key}` in its place. Empty where none is needed.
       * @example {
       *       "X-SERVICE-Developer-Token": "{key}"
       *     }
       */
      readonly keyHeaders: {
        readonly [key: string]: string
      }
      /**
       * @description The kinds of faults it can meet, of those that only some operations can. It can meet every other kind.
       * @example [
       *       "cursor-expired",
       *       "short-page"
       *     ]
       */
      readonly faultKinds: readonly string[]
      /** @description Whether a fault can match a page of it. */
      readonly hasPages: boolean
    }
    /** @description Which exchanges a fault applies to; all given members must match. Defaults to all exchanges. */
    readonly FaultMatch: {
      /**
       * @description The operation.
       * @example searchFiles
       */
      readonly operationId?: string | undefined
      /**
       * @description The method.
       * @example PUT
       */
      readonly method?: string | undefined
      /**
       * @description The path as sent, without the query. A star at its end matches any rest.
       * @example /api/files/v1/filesets/demo/*
       */
      readonly path?: string | undefined
      /**
       * @description Headers by name, case-insensitive, each with its whole value.
       * @example {
       *       "X-Client": "mobile"
       *     }
       */
      readonly header?:
        | {
            readonly [key: string]: string
          }
        | undefined
      /**
       * @description A string that occurs in the body's JSON, without spaces between its parts; or a value that the body contains.
       * @example {
       *       "filters": [
       *         {
       *           "field": "name"
       *         }
       *       ]
       *     }
       */
      readonly body?: unknown | undefined
      /**
       * @description The page number in the walk of a search; the first page has no cursor.
       * @example 3
       */
      readonly page?: number | undefined
    }
    /** @description A fault with the fields of its kind, or a preset and nothing else but `match`. */
    readonly FaultRequest: {
      readonly id?: components['schemas']['Name'] | undefined
      /**
       * @description Several faults that often occur together.
       * @example flaky-network
       * @enum {string}
       */
      readonly preset?: ('flaky-network' | 'slow-service' | 'rate-limited' | 'deploy-in-progress') | undefined
      /**
       * @description What it does.
       * @enum {string}
       */
      readonly kind?:
        | (
            | 'latency'
            | 'status'
            | 'rate-limit'
            | 'reset'
            | 'empty'
            | 'truncated'
            | 'garbage'
            | 'slow-drip'
            | 'lost-answer'
            | 'cursor-expired'
            | 'short-page'
            | 'duplicate-entry'
            | 'missing-entry'
            | 'stale-read'
            | 'conflicting-edit'
            | 'changed-body'
            | 'changed-response'
          )
        | undefined
      readonly match?: components['schemas']['FaultMatch'] | undefined
      /**
       * @description The probability for a matching exchange, drawn from the sandbox's seed. Defaults to 1.
       * @example 0.2
       */
      readonly chance?: number | undefined
      /**
       * @description The maximum number of times it is applied. Unlimited by default.
       * @example 1
       */
      readonly times?: number | undefined
      /**
       * @description How many matching exchanges pass first. Defaults to 0.
       * @example 2
       */
      readonly after?: number | undefined
      /**
       * @description Of `latency`: how long the request waits before it is handled, in milliseconds: fixed, uniform between two bounds, or log-normal. A request whose client disconnects meanwhile is still handled.
       * @example {
       *       "median": 300,
       *       "sigma": 0.5
       *     }
       */
      readonly delay?:
        | {
            /** @description A fixed delay. */
            readonly milliseconds?: number | undefined
            /** @description The minimum. */
            readonly from?: number | undefined
            /** @description The maximum. */
            readonly to?: number | undefined
            /** @description Half of the delays are shorter. None is longer than 55 s. */
            readonly median?: number | undefined
            /** @description The standard deviation of the logarithm. */
            readonly sigma?: number | undefined
          }
        | undefined
      /**
       * @description Of `status`: the status to send, without running the operation. Of `changed-response`: the one to send in place of another of its class, once the operation has run.
       * @example 503
       */
      readonly status?: number | undefined
      /**
       * @description Of `status` and `changed-response`: headers of the response, by name. A redirect without `Location` leads to the same address. `Transfer-Encoding: chunked` leaves out the length, and an empty text any other header of `changed-response`.
       * @example {
       *       "Retry-After": "2"
       *     }
       */
      readonly headers?:
        | {
            readonly [key: string]: string
          }
        | undefined
      /** @description Of `status` and `changed-response`: a string is sent as it is, anything else as JSON. Defaults to the body of errors (`error.body`), and to the body that the operation gave. */
      readonly body?: unknown | undefined
      /**
       * @description Of `rate-limit`: how many requests pass in a window; the others are refused with 429 and Retry-After.
       * @example 10
       */
      readonly limit?: number | undefined
      /**
       * @description Of `rate-limit`: the length of a window by the sandbox's clock, so advancing the clock satisfies it too.
       * @example 60
       */
      readonly seconds?: number | undefined
      /**
       * @description Of `truncated`: how much of the body is sent. Defaults to half of it. Of `garbage`: how much is sent. Defaults to 64.
       * @example 64
       */
      readonly bytes?: number | undefined
      /**
       * @description Of `truncated`, for a stream: how many events or rows are sent whole before the one that is cut. Defaults to 0.
       * @example 2
       */
      readonly events?: number | undefined
      /**
       * @description Of `garbage`: whether it replaces the body, or the whole response with its head. Defaults to body.
       * @enum {string}
       */
      readonly of?: ('body' | 'answer') | undefined
      /**
       * @description Of `slow-drip`: the number of pieces of the body.
       * @example 10
       */
      readonly pieces?: number | undefined
      /**
       * @description Of `slow-drip`: the time for all pieces.
       * @example 2000
       */
      readonly milliseconds?: number | undefined
      /**
       * @description Of `lost-answer`: how the response is lost after the change was stored: the connection is reset, or closed normally, or a gateway responds with 504. Defaults to reset.
       * @enum {string}
       */
      readonly by?: ('reset' | 'empty' | 'gateway-timeout') | undefined
      /**
       * @description Of `short-page`: the number of entries of the page. Defaults to half of them.
       * @example 1
       */
      readonly entries?: number | undefined
      /** @description Of `stale-read`: a search or a list reads the file set or the collection as it was this many changes ago, or the oldest version that is kept. Defaults to 1. */
      readonly versions?: number | undefined
      /**
       * @description Of `conflicting-edit`: what happens just before the request is handled: another user changes the title of the report schedule that is updated, or removes it; on a further page of a walk, removes the last file of the previous page. Defaults to change.
       * @enum {string}
       */
      readonly edit?: ('change' | 'remove') | undefined
      /** @description Of `changed-body`: what is changed in the JSON body of a successful response, in this order. */
      readonly changes?: readonly components['schemas']['BodyChange'][] | undefined
    }
    /** @description One change of a JSON body. */
    readonly BodyChange: {
      /**
       * @description As in JSON Patch, `add` sets a member whether it is there or not, `replace` one that is there, and `remove` removes it. `fill` sets one that is absent or null. `other` writes another value of the same type. Of a list, `first` keeps the first element, and `reverse` turns the order round. `enlarge` adds 2^53 to an integer that is not negative. Of an instant of RFC 3339, `zone` writes the offset +05:30, and `precision` three more digits. `lengthen` adds 500 characters to a text; a token of a page is read without them.
       * @enum {string}
       */
      readonly op:
        | 'add'
        | 'replace'
        | 'fill'
        | 'remove'
        | 'other'
        | 'first'
        | 'reverse'
        | 'enlarge'
        | 'zone'
        | 'precision'
        | 'lengthen'
      /**
       * @description A JSON pointer to the value; `*` stands for each element of a list.
       * @example /files/*\/size
       */
      readonly at: string
      /** @description Of `add`, `replace` and `fill`: the value. Of `other`: the values that it may take, the first that differs; absent for any. */
      readonly to?: unknown | undefined
    }
    /** @description A fault. */
    readonly FaultRecord: {
      readonly id: components['schemas']['Name']
      /**
       * @description What it does.
       * @enum {string}
       */
      readonly kind:
        | 'latency'
        | 'status'
        | 'rate-limit'
        | 'reset'
        | 'empty'
        | 'truncated'
        | 'garbage'
        | 'slow-drip'
        | 'lost-answer'
        | 'cursor-expired'
        | 'short-page'
        | 'duplicate-entry'
        | 'missing-entry'
        | 'stale-read'
        | 'conflicting-edit'
        | 'changed-body'
        | 'changed-response'
      readonly match: components['schemas']['FaultMatch']
      /**
       * @description The probability for a matching exchange, drawn from the sandbox's seed. Defaults to 1.
       * @example 0.2
       */
      readonly chance: number
      /**
       * @description The maximum number of times it is applied. Unlimited by default.
       * @example 1
       */
      readonly times?: number | undefined
      /**
       * @description How many matching exchanges pass first. Defaults to 0.
       * @example 2
       */
      readonly after: number
      /**
       * @description Of `latency`: how long the request waits before it is handled, in milliseconds: fixed, uniform between two bounds, or log-normal. A request whose client disconnects meanwhile is still handled.
       * @example {
       *       "median": 300,
       *       "sigma": 0.5
       *     }
       */
      readonly delay?:
        | {
            /** @description A fixed delay. */
            readonly milliseconds?: number | undefined
            /** @description The minimum. */
            readonly from?: number | undefined
            /** @description The maximum. */
            readonly to?: number | undefined
            /** @description Half of the delays are shorter. None is longer than 55 s. */
            readonly median?: number | undefined
            /** @description The standard deviation of the logarithm. */
            readonly sigma?: number | undefined
          }
        | undefined
      /**
       * @description Of `status`: the status to send, without running the operation. Of `changed-response`: the one to send in place of another of its class, once the operation has run.
       * @example 503
       */
      readonly status?: number | undefined
      /**
       * @description Of `status` and `changed-response`: headers of the response, by name. A redirect without `Location` leads to the same address. `Transfer-Encoding: chunked` leaves out the length, and an empty text any other header of `changed-response`.
       * @example {
       *       "Retry-After": "2"
       *     }
       */
      readonly headers?:
        | {
            readonly [key: string]: string
          }
        | undefined
      /** @description Of `status` and `changed-response`: a string is sent as it is, anything else as JSON. Defaults to the body of errors (`error.body`), and to the body that the operation gave. */
      readonly body?: unknown | undefined
      /**
       * @description Of `rate-limit`: how many requests pass in a window; the others are refused with 429 and Retry-After.
       * @example 10
       */
      readonly limit?: number | undefined
      /**
       * @description Of `rate-limit`: the length of a window by the sandbox's clock, so advancing the clock satisfies it too.
       * @example 60
       */
      readonly seconds?: number | undefined
      /**
       * @description Of `truncated`: how much of the body is sent. Defaults to half of it. Of `garbage`: how much is sent. Defaults to 64.
       * @example 64
       */
      readonly bytes?: number | undefined
      /**
       * @description Of `truncated`, for a stream: how many events or rows are sent whole before the one that is cut. Defaults to 0.
       * @example 2
       */
      readonly events?: number | undefined
      /**
       * @description Of `garbage`: whether it replaces the body, or the whole response with its head. Defaults to body.
       * @enum {string}
       */
      readonly of?: ('body' | 'answer') | undefined
      /**
       * @description Of `slow-drip`: the number of pieces of the body.
       * @example 10
       */
      readonly pieces?: number | undefined
      /**
       * @description Of `slow-drip`: the time for all pieces.
       * @example 2000
       */
      readonly milliseconds?: number | undefined
      /**
       * @description Of `lost-answer`: how the response is lost after the change was stored: the connection is reset, or closed normally, or a gateway responds with 504. Defaults to reset.
       * @enum {string}
       */
      readonly by?: ('reset' | 'empty' | 'gateway-timeout') | undefined
      /**
       * @description Of `short-page`: the number of entries of the page. Defaults to half of them.
       * @example 1
       */
      readonly entries?: number | undefined
      /** @description Of `stale-read`: a search or a list reads the file set or the collection as it was this many changes ago, or the oldest version that is kept. Defaults to 1. */
      readonly versions?: number | undefined
      /**
       * @description Of `conflicting-edit`: what happens just before the request is handled: another user changes the title of the report schedule that is updated, or removes it; on a further page of a walk, removes the last file of the previous page. Defaults to change.
       * @enum {string}
       */
      readonly edit?: ('change' | 'remove') | undefined
      /** @description Of `changed-body`: what is changed in the JSON body of a successful response, in this order. */
      readonly changes?: readonly components['schemas']['BodyChange'][] | undefined
      /** @description How many exchanges matched. */
      readonly matched: number
      /** @description How many exchanges it was applied to. */
      readonly struck: number
      /** @description Whether it is used up. */
      readonly spent: boolean
      /** @description Of a rate limit: the window that was met last, counted from the epoch. */
      readonly window?: number | undefined
      /** @description Of a rate limit: the requests in that window. */
      readonly taken?: number | undefined
    }
    /** @description Open streams. */
    readonly StreamList: {
      /** @description In the order in which they were opened. */
      readonly streams: readonly {
        /** @description The `X-Request-Id` of its response. */
        readonly requestId: string
        /** @description The operation. */
        readonly operationId: string
        /** @description The method. */
        readonly method: string
        /** @description Path and query. */
        readonly url: string
        /** @description When it was opened */
        readonly since: components['schemas']['InstantText']
        /** @description How many events or rows were sent; null for a request that waits. */
        readonly sent: number | null
      }[]
    }
    /** @description A stub as files have it, with what it is for under `operation` and `when`, and what it does under `respond`, `change` and `fault`; or a list of them as `stubs`. */
    readonly StubRequest: {
      /** @description Its name. Numbered when absent. */
      readonly name?: string | undefined
      /** @description An operationId, `POST /orders`, or `tag:orders`. */
      readonly operation?: string | undefined
      /** @description Several stubs, in the order of their precedence. */
      readonly stubs?:
        | readonly ({
            readonly name?: string | undefined
          } & {
            readonly [key: string]: unknown
          })[]
        | undefined
    } & {
      readonly [key: string]: unknown
    }
    /** @description A stub. */
    readonly StubRecord: {
      /** @description Its name. */
      readonly name: string
      /** @description The ids of the operations whose requests it is for. */
      readonly operations: readonly string[]
      /** @description The file and line of a stub of the settings or of the contract; null for one that was declared while the server runs. */
      readonly place: string | null
      /** @description For how many requests it was used; null where that is not counted. */
      readonly uses: number | null
      /** @description As it was declared while the server runs; null for others. */
      readonly stub: object | null
      /** @description Why it is not used; null for most. The contract may have changed since it was declared. */
      readonly problem: string | null
    }
    /** @description Stubs. */
    readonly StubList: {
      /** @description In the order of their precedence. */
      readonly stubs: readonly components['schemas']['StubRecord'][]
      /** @description The state of each scenario that has left its first one, `Started`. */
      readonly scenarios: {
        readonly [key: string]: string
      }
    }
    /** @description Faults. */
    readonly FaultList: {
      /** @description In the order of their arming. */
      readonly faults: readonly components['schemas']['FaultRecord'][]
    }
    /** @description A fault, and what it has met so far. */
    readonly StoredFault: {
      readonly id: components['schemas']['Name']
      /**
       * @description What it does.
       * @enum {string}
       */
      readonly kind:
        | 'latency'
        | 'status'
        | 'rate-limit'
        | 'reset'
        | 'empty'
        | 'truncated'
        | 'garbage'
        | 'slow-drip'
        | 'lost-answer'
        | 'cursor-expired'
        | 'short-page'
        | 'duplicate-entry'
        | 'missing-entry'
        | 'stale-read'
        | 'conflicting-edit'
        | 'changed-body'
        | 'changed-response'
      readonly match: components['schemas']['FaultMatch']
      /**
       * @description The probability for a matching exchange, drawn from the sandbox's seed. Defaults to 1.
       * @example 0.2
       */
      readonly chance: number
      /**
       * @description The maximum number of times it is applied. Unlimited by default.
       * @example 1
       */
      readonly times?: number | undefined
      /**
       * @description How many matching exchanges pass first. Defaults to 0.
       * @example 2
       */
      readonly after: number
      /**
       * @description Of `latency`: how long the request waits before it is handled, in milliseconds: fixed, uniform between two bounds, or log-normal. A request whose client disconnects meanwhile is still handled.
       * @example {
       *       "median": 300,
       *       "sigma": 0.5
       *     }
       */
      readonly delay?:
        | {
            /** @description A fixed delay. */
            readonly milliseconds?: number | undefined
            /** @description The minimum. */
            readonly from?: number | undefined
            /** @description The maximum. */
            readonly to?: number | undefined
            /** @description Half of the delays are shorter. None is longer than 55 s. */
            readonly median?: number | undefined
            /** @description The standard deviation of the logarithm. */
            readonly sigma?: number | undefined
          }
        | undefined
      /**
       * @description Of `status`: the status to send, without running the operation. Of `changed-response`: the one to send in place of another of its class, once the operation has run.
       * @example 503
       */
      readonly status?: number | undefined
      /**
       * @description Of `status` and `changed-response`: headers of the response, by name. A redirect without `Location` leads to the same address. `Transfer-Encoding: chunked` leaves out the length, and an empty text any other header of `changed-response`.
       * @example {
       *       "Retry-After": "2"
       *     }
       */
      readonly headers?:
        | {
            readonly [key: string]: string
          }
        | undefined
      /** @description Of `status` and `changed-response`: a string is sent as it is, anything else as JSON. Defaults to the body of errors (`error.body`), and to the body that the operation gave. */
      readonly body?: unknown | undefined
      /**
       * @description Of `rate-limit`: how many requests pass in a window; the others are refused with 429 and Retry-After.
       * @example 10
       */
      readonly limit?: number | undefined
      /**
       * @description Of `rate-limit`: the length of a window by the sandbox's clock, so advancing the clock satisfies it too.
       * @example 60
       */
      readonly seconds?: number | undefined
      /**
       * @description Of `truncated`: how much of the body is sent. Defaults to half of it. Of `garbage`: how much is sent. Defaults to 64.
       * @example 64
       */
      readonly bytes?: number | undefined
      /**
       * @description Of `truncated`, for a stream: how many events or rows are sent whole before the one that is cut. Defaults to 0.
       * @example 2
       */
      readonly events?: number | undefined
      /**
       * @description Of `garbage`: whether it replaces the body, or the whole response with its head. Defaults to body.
       * @enum {string}
       */
      readonly of?: ('body' | 'answer') | undefined
      /**
       * @description Of `slow-drip`: the number of pieces of the body.
       * @example 10
       */
      readonly pieces?: number | undefined
      /**
       * @description Of `slow-drip`: the time for all pieces.
       * @example 2000
       */
      readonly milliseconds?: number | undefined
      /**
       * @description Of `lost-answer`: how the response is lost after the change was stored: the connection is reset, or closed normally, or a gateway responds with 504. Defaults to reset.
       * @enum {string}
       */
      readonly by?: ('reset' | 'empty' | 'gateway-timeout') | undefined
      /**
       * @description Of `short-page`: the number of entries of the page. Defaults to half of them.
       * @example 1
       */
      readonly entries?: number | undefined
      /** @description Of `stale-read`: a search or a list reads the file set or the collection as it was this many changes ago, or the oldest version that is kept. Defaults to 1. */
      readonly versions?: number | undefined
      /**
       * @description Of `conflicting-edit`: what happens just before the request is handled: another user changes the title of the report schedule that is updated, or removes it; on a further page of a walk, removes the last file of the previous page. Defaults to change.
       * @enum {string}
       */
      readonly edit?: ('change' | 'remove') | undefined
      /** @description Of `changed-body`: what is changed in the JSON body of a successful response, in this order. */
      readonly changes?: readonly components['schemas']['BodyChange'][] | undefined
      /** @description How many exchanges matched. */
      readonly matched: number
      /** @description How many exchanges it was applied to. */
      readonly struck: number
      /** @description Whether it is used up. */
      readonly spent?: boolean | undefined
      /** @description Of a rate limit: the window that was met last, counted from the epoch. */
      readonly window?: number | undefined
      /** @description Of a rate limit: the requests in that window. */
      readonly taken?: number | undefined
    }
    /** @description It stands at `at`, or it showed `at` when the machine's clock showed `since` and runs from there at its rate. */
    readonly StoredClock: {
      /**
       * @description Whether it is frozen or running.
       * @enum {string}
       */
      readonly mode: 'frozen' | 'running'
      readonly at: components['schemas']['InstantText']
      readonly since?: components['schemas']['InstantText'] | undefined
      /** @description How fast it runs. */
      readonly rate?: number | undefined
    }
    /** @description A file set, as its entries, or as what it was generated from and what has changed since. */
    readonly StoredFileSet: {
      /** @description Identifier of the file set. */
      readonly id: string
      /** @description How often it was changed. */
      readonly version: number
      /** @description Files and explicit directories; of a generated set those that were added or changed since. */
      readonly files?: readonly components['schemas']['EntryRecord'][] | undefined
      /** @description Implied directories whose date and creator are not those of their oldest entry: a directory keeps both when its entries change. */
      readonly directories?: readonly components['schemas']['EntryRecord'][] | undefined
      /** @description Generated paths that were removed. */
      readonly removed?: readonly string[] | undefined
      /** @description What the generated files are computed from. */
      readonly generated?:
        | {
            readonly seed: components['schemas']['Seed']
            /** @description How many files. */
            readonly files: number
            readonly firstMoment: components['schemas']['InstantText']
            /** @description The behaviours `file.types`, `file.index` and `file.download-url`, and the locale of names, if they are not the default. */
            readonly choices?:
              | {
                  /** @description Values of `fileType`. */
                  readonly fileTypes: readonly string[]
                  /** @description Values of `hashAlgorithm`. */
                  readonly hashAlgorithms: readonly string[]
                  /**
                   * @description Whether files have an index state.
                   * @enum {string}
                   */
                  readonly index: 'null' | 'varied'
                  /**
                   * @description Whether files have a download URL.
                   * @enum {string}
                   */
                  readonly downloadUrl: 'empty' | 'url'
                  /** @description The setting `locale`, if it is not the default. */
                  readonly locale?: string | undefined
                }
              | undefined
          }
        | undefined
    }
    /** @description How far the runs of a report schedule have been processed. */
    readonly Progress: {
      /** @description The id of the report schedule. */
      readonly scheduleId: number
      readonly settled: components['schemas']['InstantText']
      readonly lastRun?: components['schemas']['InstantText'] | undefined
    }
    /** @description A run. */
    readonly StoredRun: {
      /** @description Counts from 1 in each sandbox. */
      readonly id: number
      readonly at: components['schemas']['InstantText']
      readonly reportSchedule: components['schemas']['StoredReportSchedule']
    }
    /** @description Either a list, with an optional document, or a search, with an optional entry, or a report schedule. */
    readonly ExplainRequest: {
      /** @description The request of a list of a collection, as you would send it. */
      readonly list?:
        | {
            /**
             * @description The operationId of the list.
             * @example listOrders
             */
            readonly operationId: string
            /**
             * @description The path parameters by name.
             * @example {
             *       "customerId": 7
             *     }
             */
            readonly path?:
              | {
                  readonly [key: string]: string | number | boolean
                }
              | undefined
            /**
             * @description The query parameters by name.
             * @example {
             *       "status": "paid",
             *       "page": 2
             *     }
             */
            readonly query?:
              | {
                  readonly [key: string]: string | number | boolean
                }
              | undefined
            /** @description The body of a search by POST. */
            readonly body?:
              | {
                  readonly [key: string]: unknown
                }
              | undefined
          }
        | undefined
      /**
       * @description The id of a document of the collection.
       * @example 7
       */
      readonly document?: string | undefined
      /** @description A search as you would send it. */
      readonly search?:
        | {
            /**
             * @description Identifier of the file set.
             * @example demo
             */
            readonly fileSetId: string
            /**
             * @description The query parameters; unknown ones are ignored, as in a request.
             * @example {
             *       "directoryPath": "finance",
             *       "limit": 10
             *     }
             */
            readonly query?:
              | {
                  readonly [key: string]: string | number | boolean
                }
              | undefined
            /**
             * @description The body.
             * @example {
             *       "filters": [
             *         {
             *           "field": "name",
             *           "operator": "LIKE",
             *           "value": [
             *             "budget"
             *           ]
             *         }
             *       ]
             *     }
             */
            readonly body?: object | undefined
          }
        | undefined
      /** @description An entry, by one of the two. */
      readonly file?:
        | {
            /** @description Identifier of the entry. */
            readonly id?: string | undefined
            /**
             * @description Full path, without a slash at either end.
             * @example reports/2026/q1.pdf
             */
            readonly path?: string | undefined
          }
        | undefined
      /** @description A report schedule, by one of the two. */
      readonly schedule?:
        | {
            /** @description The id of one that is stored. */
            readonly id?: number | undefined
            /** @description The body of a create. */
            readonly info?: object | undefined
          }
        | undefined
      /** @description The id of an exchange of the journal: the sandbox is explained as it was just before it. Its events must still be in the history. */
      readonly before?: number | undefined
    }
    readonly Explanation:
      | components['schemas']['ListExplanation']
      | components['schemas']['SearchExplanation']
      | components['schemas']['ReportScheduleExplanation']
    /** @description How the request of a list is read. */
    readonly ListExplanation: {
      /** @description The operationId of the list. */
      readonly operationId: string
      /**
       * @description The name of the instance that is listed.
       * @example customers/7/orders
       */
      readonly collection: string
      /** @description What items must meet, all of it. */
      readonly conditions: readonly {
        /**
         * @description The condition in words.
         * @example /status is "paid"
         */
        readonly reads: string
        /** @description How many items meet it alone. */
        readonly matches: number
      }[]
      /** @description The members that items are sorted by. Empty for the order of their creation. */
      readonly order: readonly string[]
      /** @description Parameters that have no effect. */
      readonly ignored: readonly string[]
      /** @description The items of all pages. */
      readonly total: components['schemas']['Count']
      /** @description The items of a page. */
      readonly pageSize: number
      /** @description Why the document is in the list or not. */
      readonly document?:
        | {
            /** @description Its id. */
            readonly id: string
            /**
             * @description Whether it is in the list, a condition excludes it, it was deleted, or no such document was there lately.
             * @enum {string}
             */
            readonly state: 'listed' | 'excluded' | 'deleted' | 'unknown'
            /** @description The reason in words. */
            readonly why: string
            /** @description Its position among the items of all pages. */
            readonly position?: number | undefined
            /** @description The page that it is on, from 1. */
            readonly page?: number | undefined
            /** @description The conditions, and whether it meets them. */
            readonly conditions?:
              | readonly {
                  /** @description The condition in words. */
                  readonly reads: string
                  /** @description Whether the document meets it. */
                  readonly holds: boolean
                  /** @description What the document has. Absent for nothing. */
                  readonly value?: unknown | undefined
                }[]
              | undefined
          }
        | undefined
      /** @description The behaviours that the list depends on. */
      readonly behaviours: readonly string[]
    }
    /** @description Why a search has its result. */
    readonly SearchExplanation: {
      /** @description Identifier of the file set. */
      readonly fileSetId: string
      readonly search: components['schemas']['ExplainedSearch']
      /** @description Entries on a page. */
      readonly limit: number
      /** @description JSON pointers of filters and sort keys in the body that are ignored because of a behaviour. */
      readonly overlooked: readonly string[]
      /** @description Which entries the filters apply to. */
      readonly scope: {
        /** @description In words. */
        readonly reads: string
        /** @description Paths of the directories; the empty string is the root. */
        readonly directories: readonly string[]
        readonly entries: components['schemas']['Count']
      }
      /**
       * @description Whether all clauses must match, or any of them.
       * @enum {string}
       */
      readonly combined: 'all' | 'any'
      /** @description The filters, then the date filters. */
      readonly clauses: readonly components['schemas']['ClauseCounts'][]
      /** @description What the result is sorted by. */
      readonly order: {
        /** @description In words. */
        readonly reads: string
        /** @description The fields of the order; the id is the last. */
        readonly by: readonly string[]
      }
      /** @description Entries in the result. */
      readonly total: number
      /** @description Non-empty pages of a walk from the start. */
      readonly pages: number
      readonly cursor?: components['schemas']['CursorExplanation'] | undefined
      readonly entry?: components['schemas']['EntryExplanation'] | undefined
      readonly behaviours: components['schemas']['Rows']
    }
    /** @description The behaviours that this depends on. */
    readonly Rows: readonly string[]
    /** @description A search with all defaults. Null for a cursor that only contains its digest. */
    readonly ExplainedSearch: {
      /** @description Normalised; the empty string is the root. */
      readonly directoryPath: string
      /** @description Whether only immediate children are listed. */
      readonly immediateChildren: boolean
      /** @description The sort keys. */
      readonly fieldSort: readonly {
        /** @description A field of an entry. */
        readonly field: string
        /**
         * @description Its direction.
         * @enum {string}
         */
        readonly order: 'ASC' | 'DESC'
      }[]
      /** @description The filters. */
      readonly filters: readonly {
        /** @description A field of an entry. */
        readonly field: string
        /** @description How it compares. */
        readonly operator: string
        /** @description The values. */
        readonly value: readonly string[]
        /** @description Whether it is inverted. */
        readonly not: boolean
      }[]
      /** @description The date filters. */
      readonly dateFilters: readonly {
        /** @description A field of an entry. */
        readonly field: string
        /** @description An instant; null for no bound. */
        readonly start: string | null
        /** @description An instant; null for no bound. */
        readonly end: string | null
        /** @description Whether it is inverted. */
        readonly not: boolean
      }[]
    } | null
    /** @description A filter or a date filter, and its effect on the whole scope. */
    readonly ClauseCounts: {
      /**
       * @description Its place in `search`.
       * @example /filters/0
       */
      readonly pointer: string
      /**
       * @description How it is read.
       * @example name contains "budget" (upper and lower case alike)
       */
      readonly reads: string
      /** @description For LIKE, what a string must be to match each value. */
      readonly patterns?:
        | readonly {
            /**
             * @description The pattern as it was sent.
             * @example 50\\%
             */
            readonly value: string
            /**
             * @description In words.
             * @example any text, "50%", any text
             */
            readonly means: string
          }[]
        | undefined
      /** @description Entries of the scope that match it. */
      readonly holds: number
      /** @description Entries that only this clause excludes. */
      readonly keepsOut: number
    }
    /** @description What a pagination token means. The keys that it was made with are never shown. */
    readonly CursorExplanation: {
      /** @description Whether the service accepts it for this search. */
      readonly accepted: boolean
      /** @description Why not. */
      readonly refusal?: string | undefined
      /** @description False for a token that was not created with this seed; then no more is known. */
      readonly readable: boolean
      /** @description The file set that it belongs to. */
      readonly fileSetId?: string | undefined
      readonly search?: components['schemas']['ExplainedSearch'] | undefined
      /** @description The last entry of the previous page. The next page begins after the position that it had then. */
      readonly last?:
        | {
            /** @description Identifier of the entry. */
            readonly id: string
            /** @description Its current path; null if it was removed. */
            readonly path: string | null
            readonly values: components['schemas']['SortedBy']
          }
        | undefined
      /** @description Pages returned so far. */
      readonly pages?: number | undefined
      /** @description Entries returned so far. */
      readonly entries?: number | undefined
      /** @description The version of the file set at the start of the walk. */
      readonly version?: number | undefined
      /** @description The limit of the previous page. */
      readonly limit?: number | undefined
      readonly issued?: components['schemas']['InstantText'] | undefined
      /** @description The first entry of the next page; null if there is none. */
      readonly leadsTo?:
        | ({
            /** @description Identifier of the entry. */
            readonly id: string
            /** @description Its path. */
            readonly path: string
          } | null)
        | undefined
    }
    /** @description The fields of the order, and the values of an entry. */
    readonly SortedBy: readonly {
      /** @description A field of the order; `draw` for the shuffled order. */
      readonly field: string
      /** @description The value of the entry. */
      readonly value: string | number | null
    }[]
    /** @description Why an entry is or is not in the result, and its position. */
    readonly EntryExplanation: {
      /** @description Identifier of the entry; null if there is none. */
      readonly id: string | null
      /** @description Its path; null if there is none. */
      readonly path: string | null
      /** @description Whether it is in the result. */
      readonly inResult: boolean
      /** @description In words. */
      readonly why: string
      /** @description Where there is no such entry, up to ten whose path has the wanted text in it; those with this name come first. */
      readonly matches?:
        | readonly {
            /** @description Identifier of the entry. */
            readonly id: string
            /** @description Its path. */
            readonly path: string
          }[]
        | undefined
      /** @description Whether it is within the scope of the search. */
      readonly scope?:
        | {
            /** @description Whether it is. */
            readonly holds: boolean
            /** @description In words. */
            readonly why: string
          }
        | undefined
      /** @description The filters, then the date filters. */
      readonly clauses?:
        | readonly {
            /**
             * @description Its place in `search`.
             * @example /filters/0
             */
            readonly pointer: string
            /**
             * @description How it is read.
             * @example name LIKE "budget": contains, case folded, % and _ wild
             */
            readonly reads: string
            /** @description For LIKE, what a string must be to match each value. */
            readonly patterns?:
              | readonly {
                  /**
                   * @description The pattern as it was sent.
                   * @example 50\\%
                   */
                  readonly value: string
                  /**
                   * @description In words.
                   * @example any text, "50%", any text
                   */
                  readonly means: string
                }[]
              | undefined
            /** @description Whether the entry matches it. */
            readonly holds: boolean
            /** @description The value of the entry. */
            readonly held: string | number | null
            /** @description The values that it matches, before `not` inverts the result. */
            readonly met: readonly string[]
          }[]
        | undefined
      /** @description Its position in the result. */
      readonly place?:
        | {
            /** @description In the whole result. */
            readonly position: number
            /** @description In a walk from the start with this limit. */
            readonly page: number | null
            /** @description On that page. */
            readonly onPage: number | null
            /** @description The same for a walk that continues with the cursor; null if it is past the entry. */
            readonly fromCursor?:
              | ({
                  /** @description Counted from the start of the walk. */
                  readonly page: number
                  /** @description On that page. */
                  readonly onPage: number
                } | null)
              | undefined
            readonly values: components['schemas']['SortedBy']
            readonly before: components['schemas']['Neighbour']
            readonly after: components['schemas']['Neighbour']
          }
        | undefined
    }
    /** @description The previous or next entry; null at the ends. */
    readonly Neighbour: {
      /** @description Identifier of the entry. */
      readonly id: string
      /** @description Its path. */
      readonly path: string
      /** @description The first field of the order in which the two differ. */
      readonly decidedBy: string
      /** @description The value of the neighbour. */
      readonly value: string | number | null
    } | null
    /** @description How the nextRunDate of a report schedule was computed. */
    readonly ReportScheduleExplanation: {
      /** @description The id of the report schedule; null for one that is not stored. */
      readonly scheduleId: number | null
      /** @description The title. */
      readonly title: string
      /** @description As the service returns it, epoch milliseconds; null if it omits it. */
      readonly nextRunDate: number | null
      /** @description One sentence. */
      readonly why: string
      /** @description How it was found; absent for a schedule without settings. */
      readonly run?: components['schemas']['RunExplanation'] | undefined
      readonly behaviours: components['schemas']['Rows']
    }
    /** @description How the instant of a run is found. */
    readonly RunExplanation: {
      /**
       * @description The rule in words.
       * @example WEEKLY on SUN at 02:30
       */
      readonly reads: string
      /**
       * @description The zone.
       * @example America/New_York
       */
      readonly timezone: string
      /** @description The run is the first after this moment. */
      readonly countedFrom: {
        readonly at: components['schemas']['InstantText']
        /** @description In the time zone. */
        readonly localTime: string
        /** @description Why this moment. */
        readonly why: string
      }
      /** @description The days of the rule, from the day before that moment, until one matches. */
      readonly days: readonly {
        /**
         * @description The day.
         * @example 2026-03-08
         */
        readonly date: string
        /**
         * @description Its weekday.
         * @example SUN
         */
        readonly weekday: string
        /**
         * @description The intended local time.
         * @example 02:30
         */
        readonly intended: string
        /**
         * @description Whether the clocks show that time once, never or twice on that day.
         * @enum {string}
         */
        readonly clocks: 'ordinary' | 'gap' | 'overlap'
        /** @description The instant; null if it does not happen. */
        readonly at: string | null
        /** @description The instant in the time zone. */
        readonly localTime: string | null
        /**
         * @description The result.
         * @enum {string}
         */
        readonly verdict: 'too early' | 'skipped' | 'next'
      }[]
      /** @description Days of the rule that a month does not have. */
      readonly shortMonths: readonly {
        /**
         * @description The month.
         * @example 2026-02
         */
        readonly month: string
        /** @description The day that it does not have. */
        readonly day: number
        /**
         * @description The result.
         * @example skipped (days.short-month)
         */
        readonly became: string
      }[]
      readonly at: components['schemas']['InstantText']
      /** @description In the time zone. */
      readonly localTime: string
      /**
       * @description Of the zone at that moment.
       * @example -04:00
       */
      readonly offset: string
    }
    /** @description A run that will come, and how its instant is found. */
    readonly UpcomingRun: {
      /**
       * @description A few sentences.
       * @example The first SUN at 02:30 after the run before.
       */
      readonly why: string
      readonly explanation: components['schemas']['RunExplanation']
    }
    /** @description The next runs of a report schedule. */
    readonly UpcomingRunList: {
      /** @description In order of time. */
      readonly runs: readonly components['schemas']['UpcomingRun'][]
      /** @description Why there are no more, in a sentence; null if there are. */
      readonly end: string | null
    }
    /** @description Why a request was refused (RFC 9457). */
    readonly Problem: {
      /**
       * @description The kind of problem.
       * @example /problems/sandbox-not-found
       */
      readonly type: string
      /** @description The same title for all problems of the kind. */
      readonly title: string
      /** @description The status of the response. */
      readonly status: number
      /** @description What happened, and what to do. */
      readonly detail: string
      /** @description The path of the request. */
      readonly instance: string
      /** @description Everything that is wrong with the request, with its location. */
      readonly errors?:
        | readonly {
            /** @description Where in the body. */
            readonly pointer?: string | undefined
            /** @description Which parameter. */
            readonly parameter?: string | undefined
            /** @description Which header. */
            readonly header?: string | undefined
            /** @description A code for programs. */
            readonly code: string
            /** @description A message for people. */
            readonly message: string
            /** @description What was expected. */
            readonly expected: string
            /** @description What was received. */
            readonly received?: string | undefined
            /** @description The source of the rule. */
            readonly source?: string | undefined
          }[]
        | undefined
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type ReplayDocument = components['schemas']['ReplayDocument']
export type ReplayExchange = components['schemas']['ReplayExchange']
export type HistoryPage = components['schemas']['HistoryPage']
export type HistoryEvent = components['schemas']['HistoryEvent']
export type Health = components['schemas']['Health']
export type Name = components['schemas']['Name']
export type InstantText = components['schemas']['InstantText']
export type GivenInstant = components['schemas']['GivenInstant']
export type Integer = components['schemas']['Integer']
export type Count = components['schemas']['Count']
export type Seed = components['schemas']['Seed']
export type SandboxRequest = components['schemas']['SandboxRequest']
export type TimeToLive = components['schemas']['TimeToLive']
export type ForkRequest = components['schemas']['ForkRequest']
export type SandboxSummary = components['schemas']['SandboxSummary']
export type SandboxList = components['schemas']['SandboxList']
export type CheckpointRequest = components['schemas']['CheckpointRequest']
export type Checkpoint = components['schemas']['Checkpoint']
export type CheckpointList = components['schemas']['CheckpointList']
export type ClockState = components['schemas']['ClockState']
export type ClockRequest = components['schemas']['ClockRequest']
export type AdvanceRequest = components['schemas']['AdvanceRequest']
export type Advance = components['schemas']['Advance']
export type PassedTransition = components['schemas']['PassedTransition']
export type PassedRun = components['schemas']['PassedRun']
export type RunRecord = components['schemas']['RunRecord']
export type RunList = components['schemas']['RunList']
export type Recipient = components['schemas']['Recipient']
export type DeliveryRecord = components['schemas']['DeliveryRecord']
export type Message = components['schemas']['Message']
export type DeliveryWithMessage = components['schemas']['DeliveryWithMessage']
export type DeliveryList = components['schemas']['DeliveryList']
export type Removed = components['schemas']['Removed']
export type ScheduleSettings = components['schemas']['ScheduleSettings']
export type StoredReportSchedule = components['schemas']['StoredReportSchedule']
export type ReportScheduleRecord = components['schemas']['ReportScheduleRecord']
export type ReportScheduleList = components['schemas']['ReportScheduleList']
export type HeaderRecord = components['schemas']['HeaderRecord']
export type ExchangeRecord = components['schemas']['ExchangeRecord']
export type Issue = components['schemas']['Issue']
export type ExchangeList = components['schemas']['ExchangeList']
export type ExchangeMatch = components['schemas']['ExchangeMatch']
export type Expectation = components['schemas']['Expectation']
export type VerifyRequest = components['schemas']['VerifyRequest']
export type Verification = components['schemas']['Verification']
export type Miss = components['schemas']['Miss']
export type Har = components['schemas']['Har']
export type HarEntry = components['schemas']['HarEntry']
export type FileSetRequest = components['schemas']['FileSetRequest']
export type FileSetSummary = components['schemas']['FileSetSummary']
export type FileSetList = components['schemas']['FileSetList']
export type GivenFile = components['schemas']['GivenFile']
export type FileChange = components['schemas']['FileChange']
export type FilesRequest = components['schemas']['FilesRequest']
export type EntryRecord = components['schemas']['EntryRecord']
export type FileList = components['schemas']['FileList']
export type DirectoryList = components['schemas']['DirectoryList']
export type Directory = components['schemas']['Directory']
export type StateDocument = components['schemas']['StateDocument']
export type StoredCollection = components['schemas']['StoredCollection']
export type StoredDocument = components['schemas']['StoredDocument']
export type AnyDocument = components['schemas']['AnyDocument']
export type DocumentList = components['schemas']['DocumentList']
export type CollectionList = components['schemas']['CollectionList']
export type Collection = components['schemas']['Collection']
export type CollectionIdentity = components['schemas']['CollectionIdentity']
export type CollectionOperation = components['schemas']['CollectionOperation']
export type CollectionInstance = components['schemas']['CollectionInstance']
export type CollectionSchema = components['schemas']['CollectionSchema']
export type StatusMember = components['schemas']['StatusMember']
export type CollectionReference = components['schemas']['CollectionReference']
export type CollectionListOperation = components['schemas']['CollectionListOperation']
export type HiddenFacts = components['schemas']['HiddenFacts']
export type AnswererName = components['schemas']['AnswererName']
export type WebhookTarget = components['schemas']['WebhookTarget']
export type WebhookList = components['schemas']['WebhookList']
export type WebhookRecord = components['schemas']['WebhookRecord']
export type WebhookAttempt = components['schemas']['WebhookAttempt']
export type AnswererList = components['schemas']['AnswererList']
export type AnsweringOperation = components['schemas']['AnsweringOperation']
export type AnswererChange = components['schemas']['AnswererChange']
export type Overrides = components['schemas']['Overrides']
export type BehavioursDocument = components['schemas']['BehavioursDocument']
export type BehaviourRecord = components['schemas']['BehaviourRecord']
export type OpenApiDocument = components['schemas']['OpenApiDocument']
export type CoverageReport = components['schemas']['CoverageReport']
export type CoverageShare = components['schemas']['CoverageShare']
export type CoverageKind = components['schemas']['CoverageKind']
export type CoverageOperation = components['schemas']['CoverageOperation']
export type CoverageItem = components['schemas']['CoverageItem']
export type CoverageCount = components['schemas']['CoverageCount']
export type CoverageBehaviour = components['schemas']['CoverageBehaviour']
export type Info = components['schemas']['Info']
export type InfoOperation = components['schemas']['InfoOperation']
export type FaultMatch = components['schemas']['FaultMatch']
export type FaultRequest = components['schemas']['FaultRequest']
export type BodyChange = components['schemas']['BodyChange']
export type FaultRecord = components['schemas']['FaultRecord']
export type StreamList = components['schemas']['StreamList']
export type StubRequest = components['schemas']['StubRequest']
export type StubRecord = components['schemas']['StubRecord']
export type StubList = components['schemas']['StubList']
export type FaultList = components['schemas']['FaultList']
export type StoredFault = components['schemas']['StoredFault']
export type StoredClock = components['schemas']['StoredClock']
export type StoredFileSet = components['schemas']['StoredFileSet']
export type Progress = components['schemas']['Progress']
export type StoredRun = components['schemas']['StoredRun']
export type ExplainRequest = components['schemas']['ExplainRequest']
export type Explanation = components['schemas']['Explanation']
export type ListExplanation = components['schemas']['ListExplanation']
export type SearchExplanation = components['schemas']['SearchExplanation']
export type Rows = components['schemas']['Rows']
export type ExplainedSearch = components['schemas']['ExplainedSearch']
export type ClauseCounts = components['schemas']['ClauseCounts']
export type CursorExplanation = components['schemas']['CursorExplanation']
export type SortedBy = components['schemas']['SortedBy']
export type EntryExplanation = components['schemas']['EntryExplanation']
export type Neighbour = components['schemas']['Neighbour']
export type ReportScheduleExplanation = components['schemas']['ReportScheduleExplanation']
export type RunExplanation = components['schemas']['RunExplanation']
export type UpcomingRun = components['schemas']['UpcomingRun']
export type UpcomingRunList = components['schemas']['UpcomingRunList']
export type Problem = components['schemas']['Problem']

/** The operations of the control API. */
export interface ControlOperations {
  /** List events. */
  getHistory(query?: {
    /** The number of the first event to return. Defaults to the first that is kept. */
    readonly from?: number | undefined
    /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
    readonly limit?: number | undefined
  }): Promise<HistoryPage>
  /** Get a file to replay the run. */
  getReplay(): Promise<ReplayDocument>
  /** Check whether the server is ready. */
  getHealth(): Promise<Health>
  /** Get information about the process. */
  getInfo(): Promise<Info>
  /** Get the contract in force, as JSON. */
  getContract(query?: {
    /** Whether examples are responses of this server. */
    readonly answered?: boolean | undefined
  }): Promise<OpenApiDocument>
  /** Get the contract in force, as YAML. */
  getContractYaml(): Promise<string>
  /** Get this contract, as JSON. */
  getControlContract(): Promise<OpenApiDocument>
  /** Get this contract, as YAML. */
  getControlContractYaml(): Promise<string>
  /** List the behaviours and their settings in the sandbox. */
  getBehaviours(query?: {
    /** Only behaviours with all these words in their id, question or answer. */
    readonly search?: string | undefined
  }): Promise<BehavioursDocument>
  /** Override behaviours in the sandbox. */
  putBehaviours(body: Overrides): Promise<BehavioursDocument>
  /** List who handles each operation. */
  getUpstream(): Promise<AnswererList>
  /** Change who handles operations. */
  changeUpstream(body: AnswererChange): Promise<AnswererList>
  /** List the webhooks and callbacks of a sandbox. */
  listWebhooks(query?: {
    /** Only those of this event, such as `order.created`. */
    readonly event?: string | undefined
    /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
    readonly limit?: number | undefined
  }): Promise<WebhookList>
  /** Forget the webhooks of a sandbox. */
  deleteWebhooks(): Promise<Removed>
  /** Set where webhooks of a sandbox go. */
  setWebhookTarget(body: WebhookTarget): Promise<WebhookTarget>
  /** Send a webhook again. */
  redeliverWebhook(webhookId: string): Promise<WebhookRecord>
  /** List the sandboxes. */
  listSandboxes(): Promise<SandboxList>
  /** Create a sandbox. */
  createSandbox(body: SandboxRequest): Promise<SandboxSummary>
  /** Read a sandbox. */
  getSandbox(name: string): Promise<SandboxSummary>
  /** Delete a sandbox. */
  deleteSandbox(
    name: string,
    query?: {
      /** Whether its files are written to the directory of `--artifacts`. Without that setting nothing is written. */
      readonly artifacts?: boolean | undefined
    },
  ): Promise<void>
  /** Fork a sandbox. */
  forkSandbox(name: string, body: ForkRequest): Promise<SandboxSummary>
  /** Reset a sandbox. */
  reset(): Promise<SandboxSummary>
  /** Export the state. */
  getState(query?: {
    /** Whether to export the state that a reset returns to. */
    readonly initial?: boolean | undefined
    /** The id of an exchange of the journal: the state as it was just before it. Its events must still be in the history. */
    readonly before?: number | undefined
    /** A sandbox to compare the state with: documents of collections that it changed are exported too where this state still has those that they began with. */
    readonly beside?: string | undefined
  }): Promise<StateDocument>
  /** Import a state. */
  putState(body: StateDocument): Promise<SandboxSummary>
  /** List the checkpoints. */
  listCheckpoints(): Promise<CheckpointList>
  /** Create a checkpoint. */
  createCheckpoint(body: CheckpointRequest): Promise<Checkpoint>
  /** Restore a checkpoint. */
  restoreCheckpoint(name: string): Promise<SandboxSummary>
  /** Delete a checkpoint. */
  deleteCheckpoint(name: string): Promise<void>
  /** Read the clock. */
  getClock(): Promise<ClockState>
  /** Set the clock. */
  putClock(body: ClockRequest): Promise<ClockState>
  /** Advance the clock. */
  advanceClock(body: AdvanceRequest): Promise<Advance>
  /** List the report schedules. */
  listReportSchedules(): Promise<ReportScheduleList>
  /** Read a report schedule. */
  getReportSchedule(scheduleId: number): Promise<ReportScheduleRecord>
  /** Delete a report schedule. */
  deleteReportSchedule(scheduleId: number): Promise<void>
  /** List the runs of a report schedule. */
  listRuns(
    scheduleId: number,
    query?: {
      /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
      readonly limit?: number | undefined
    },
  ): Promise<RunList>
  /** List the next runs of a report schedule. */
  listUpcomingRuns(
    scheduleId: number,
    query?: {
      /** Maximum number of runs, from 1 to 100. Defaults to 8. */
      readonly limit?: number | undefined
    },
  ): Promise<UpcomingRunList>
  /** List deliveries. */
  listDeliveries(query?: {
    /** Only deliveries of this report schedule. */
    readonly scheduleId?: number | undefined
    /** Only deliveries to recipients of this type. */
    readonly recipientType?: string | undefined
    /** Only deliveries to this address, or to the user or group with this id. */
    readonly recipient?: string | undefined
    /** Only deliveries at or after this instant. */
    readonly since?: string | undefined
    /** Only deliveries at or before this instant. */
    readonly until?: string | undefined
    /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
    readonly limit?: number | undefined
  }): Promise<DeliveryList>
  /** Delete deliveries. */
  deleteDeliveries(query?: {
    /** Only deliveries of this report schedule. */
    readonly scheduleId?: number | undefined
    /** Only deliveries to recipients of this type. */
    readonly recipientType?: string | undefined
    /** Only deliveries to this address, or to the user or group with this id. */
    readonly recipient?: string | undefined
    /** Only deliveries at or after this instant. */
    readonly since?: string | undefined
    /** Only deliveries at or before this instant. */
    readonly until?: string | undefined
  }): Promise<Removed>
  /** Read a delivery and its mail. */
  getDelivery(deliveryId: number): Promise<DeliveryWithMessage>
  /** Get metrics. */
  getMetrics(): Promise<string>
  /** Get the coverage of the contract. */
  getCoverage(query?: {
    /** Of one sandbox, or of the whole server. By default `sandbox` for a request that names one. */
    readonly scope?: string | undefined
  }): Promise<CoverageReport>
  /** Begin the coverage again. */
  deleteCoverage(query?: {
    /** Of one sandbox, or of the whole server. By default `sandbox` for a request that names one. */
    readonly scope?: string | undefined
  }): Promise<Removed>
  /** List exchanges. */
  listExchanges(query?: {
    /** Only exchanges of this operation. */
    readonly operationId?: string | undefined
    /** Only exchanges with this method. */
    readonly method?: string | undefined
    /** Only exchanges with this status; 4XX for a class, 0 for those without a response. */
    readonly status?: string | number | undefined
    /** Only exchanges whose path, as sent, matches the pattern. `*` matches any characters. */
    readonly path?: string | undefined
    /** Only exchanges whose request has the header or, with `name: pattern`, a value of it that matches the pattern. */
    readonly header?: string | undefined
    /** Only exchanges whose request body contains the pattern. `*` matches any characters. */
    readonly body?: string | undefined
    /** Only exchanges whose response body contains the pattern. */
    readonly answer?: string | undefined
    /** Only exchanges to which a fault of this kind was applied. */
    readonly fault?: string | undefined
    /** Only exchanges at or after this instant, by the clock of the sandbox. */
    readonly since?: string | undefined
    /** Only exchanges with greater ids; in a list, from the oldest on. */
    readonly after?: number | undefined
    /** Maximum number of results, from 1 to 1,000. Defaults to 100. */
    readonly limit?: number | undefined
  }): Promise<ExchangeList>
  /** Empty the journal. */
  deleteJournal(): Promise<Removed>
  /** Read an exchange. */
  getExchange(exchangeId: number): Promise<ExchangeRecord>
  /** Verify the journal against expectations. */
  verifyJournal(body: VerifyRequest): Promise<Verification>
  /** Export exchanges as an HTTP Archive. */
  exportHar(query?: {
    /** Only exchanges of this operation. */
    readonly operationId?: string | undefined
    /** Only exchanges with this method. */
    readonly method?: string | undefined
    /** Only exchanges with this status; 4XX for a class, 0 for those without a response. */
    readonly status?: string | number | undefined
    /** Only exchanges whose path, as sent, matches the pattern. `*` matches any characters. */
    readonly path?: string | undefined
    /** Only exchanges whose request has the header or, with `name: pattern`, a value of it that matches the pattern. */
    readonly header?: string | undefined
    /** Only exchanges whose request body contains the pattern. `*` matches any characters. */
    readonly body?: string | undefined
    /** Only exchanges whose response body contains the pattern. */
    readonly answer?: string | undefined
    /** Only exchanges to which a fault of this kind was applied. */
    readonly fault?: string | undefined
    /** Only exchanges at or after this instant, by the clock of the sandbox. */
    readonly since?: string | undefined
    /** Only exchanges with greater ids; in a list, from the oldest on. */
    readonly after?: number | undefined
  }): Promise<Har>
  /** Stream live events. */
  openStream(query?: {
    /** The id of the last received event. */
    readonly lastEventId?: string | undefined
  }): Promise<string>
  /** List the file sets. */
  listFileSets(): Promise<FileSetList>
  /** Create a file set. */
  createFileSet(body: FileSetRequest): Promise<FileSetSummary>
  /** Read a file set. */
  getFileSet(fileSetId: string): Promise<FileSetSummary>
  /** Delete a file set. */
  deleteFileSet(fileSetId: string): Promise<void>
  /** List the entries of a file set. */
  listFiles(
    fileSetId: string,
    query?: {
      /** Only the entry at this path. */
      readonly path?: string | undefined
      /** Only the entries directly in this directory; the empty string is the root. */
      readonly directory?: string | undefined
      /** How many results to skip. */
      readonly offset?: number | undefined
      /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
      readonly limit?: number | undefined
    },
  ): Promise<FileList>
  /** Add files or directories. */
  addFiles(fileSetId: string, body: FilesRequest): Promise<FileList>
  /** List the directories in a directory. */
  listDirectories(
    fileSetId: string,
    query?: {
      /** The directory. Defaults to the root. */
      readonly directory?: string | undefined
      /** How many results to skip. */
      readonly offset?: number | undefined
      /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
      readonly limit?: number | undefined
    },
  ): Promise<DirectoryList>
  /** Read an entry. */
  getFile(fileSetId: string, fileId: string): Promise<EntryRecord>
  /** Change or move an entry. */
  changeFile(fileSetId: string, fileId: string, body: FileChange): Promise<EntryRecord>
  /** Delete an entry. */
  deleteFile(fileSetId: string, fileId: string): Promise<void>
  /** List the collections. */
  listCollections(): Promise<CollectionList>
  /** List the documents of a collection. */
  listDocuments(
    collection: string,
    query?: {
      /** How many results to skip. */
      readonly offset?: number | undefined
      /** Maximum number of results, from 1 to 100,000. Defaults to 1,000. Lists in order of time return the latest. */
      readonly limit?: number | undefined
    },
  ): Promise<DocumentList>
  /** Create a document. */
  createDocument(collection: string, body: AnyDocument): Promise<StoredDocument>
  /** Read a document. */
  getDocument(collection: string, id: string): Promise<StoredDocument>
  /** Replace or create a document. */
  putDocument(collection: string, id: string, body: AnyDocument): Promise<StoredDocument>
  /** Change a document. */
  changeDocument(collection: string, id: string, body: AnyDocument): Promise<StoredDocument>
  /** Delete a document. */
  deleteDocument(collection: string, id: string): Promise<void>
  /** Read the schema of a collection. */
  getCollectionSchema(collection: string): Promise<CollectionSchema>
  /** Explain a list, a search or a next run. */
  explain(body: ExplainRequest): Promise<Explanation>
  /** List the faults. */
  listFaults(): Promise<FaultList>
  /** Add a fault, or a preset of several. */
  armFaults(body: FaultRequest): Promise<FaultList>
  /** Remove all faults. */
  removeFaults(): Promise<Removed>
  /** Read a fault. */
  getFault(id: string): Promise<FaultRecord>
  /** Remove a fault. */
  removeFault(id: string): Promise<void>
  /** List the streams that are open. */
  listStreams(): Promise<StreamList>
  /** End the streams that are open. */
  endStreams(): Promise<Removed>
  /** List the stubs. */
  listStubs(): Promise<StubList>
  /** Declare a stub, or several. */
  declareStubs(body: StubRequest): Promise<StubList>
  /** Remove the stubs that were declared. */
  removeStubs(): Promise<Removed>
  /** Remove a stub that was declared. */
  removeStub(name: string): Promise<void>
}
