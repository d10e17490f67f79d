/**
 * What the server does with exchanges, in Lua. A stream has besides its own keys a hash of the writers that work, by round; a sorted set of the
 * exchanges without a number, by moment; and a Redis stream with an entry `0-<number>` for each of the others. Members begin with their writer
 * and a number, so that no two are equal and those of one moment keep their order. The hash of the stream counts (`exchanges`, `length`).
 */

/** Microseconds of the server's clock. */
export const MOMENT = `
local function moment()
  local now = redis.call('TIME')
  return now[1] * 1000000 + now[2]
end`

const NUMBER = `
local function number(image, waiting, journal, members)
  for _, member in ipairs(members) do
    local id = redis.call('HINCRBY', image, 'exchanges', 1)
    redis.call('XADD', journal, '0-' .. id, 'text', member)
    redis.call('ZREM', waiting, member)
  end
end`

/** The run of the server in which the journal of a stream began: another run may have lost exchanges. */
export const RUN = `
local function run()
  return string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
end`

/** What else happens in one step with a commit; the writers that are gone are the last arguments. Needs MOMENT and RUN. */
export const CLEAR_JOURNAL = `${NUMBER}
local function clearJournal(image, waiting, journal, writers, from)
  number(image, waiting, journal, redis.call('ZRANGE', waiting, 0, -1))
  redis.call('HSET', image, 'clearedUpTo', redis.call('HGET', image, 'exchanges') or 0, 'clearedAt', string.format('%.0f', moment()), 'run', run())
  redis.call('HDEL', image, 'lossy')
  for at = from, #ARGV do redis.call('HDEL', writers, ARGV[at]) end
end`

/** KEYS: image, writers. ARGV: writer, round. */
export const BEGIN = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])`

/**
 * KEYS: image, writers, waiting, journal, the round that the writer added last. ARGV: writer, round, is over, is lossy, most exchanges, most
 * characters, and by turns moments and members. Returns how many exchanges the stream was given.
 */
export const ADD = `${NUMBER}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if tonumber(redis.call('GET', KEYS[5]) or -1) < tonumber(ARGV[2]) then
  redis.call('SET', KEYS[5], ARGV[2], 'EX', 3600)
  local clearedAt = tonumber(redis.call('HGET', KEYS[1], 'clearedAt') or -1)
  for at = 7, #ARGV, 2 do
    if tonumber(ARGV[at]) > clearedAt then
      redis.call('ZADD', KEYS[3], ARGV[at], ARGV[at + 1])
      redis.call('HINCRBY', KEYS[1], 'length', #ARGV[at + 1])
    end
  end
  if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'lossy', 1) end
  if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then
    if ARGV[3] == '1' then redis.call('HDEL', KEYS[2], ARGV[1]) else redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] + 1) end
  end
  local length = tonumber(redis.call('HGET', KEYS[1], 'length') or 0)
  local kept = redis.call('XLEN', KEYS[4])
  local waiting = redis.call('ZCARD', KEYS[3])
  while kept + waiting > tonumber(ARGV[5]) or length > tonumber(ARGV[6]) do
    if kept == 0 then
      number(KEYS[1], KEYS[3], KEYS[4], redis.call('ZRANGE', KEYS[3], 0, 0))
      kept, waiting = 1, waiting - 1
    end
    local oldest = redis.call('XRANGE', KEYS[4], '-', '+', 'COUNT', 1)[1]
    length = redis.call('HINCRBY', KEYS[1], 'length', -#oldest[2][2])
    redis.call('XDEL', KEYS[4], oldest[1])
    kept = kept - 1
  end
end
return (redis.call('HGET', KEYS[1], 'exchanges') or 0) + redis.call('ZCARD', KEYS[3])`

/** KEYS: image, writers. Returns the moment, the writers with their rounds, whether exchanges were dropped, and whether the server was restarted. */
export const LOOK = `${MOMENT}${RUN}
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local lossy, began = unpack(redis.call('HMGET', KEYS[1], 'lossy', 'run'))
return { string.format('%.0f', moment()), redis.call('HGETALL', KEYS[2]), lossy and 1 or 0, began ~= run() and 1 or 0 }`

/** KEYS: image, waiting, journal. ARGV: until, after. Returns three numbers, and the entries after a number. */
export const READ_EXCHANGES = `${NUMBER}
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
number(KEYS[1], KEYS[2], KEYS[3], redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE'))
local last, cleared, uncovered = unpack(redis.call('HMGET', KEYS[1], 'exchanges', 'clearedUpTo', 'uncoveredUpTo'))
return { last or 0, cleared or 0, uncovered or 0, redis.call('XRANGE', KEYS[3], '(0-' .. ARGV[2], '+') }`

/** KEYS: image, waiting, journal, writers. ARGV: journal or coverage, writers that are gone. */
export const CLEAR = `${MOMENT}${RUN}${CLEAR_JOURNAL}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[1] == 'journal' then clearJournal(KEYS[1], KEYS[2], KEYS[3], KEYS[4], 2)
else redis.call('HSET', KEYS[1], 'uncoveredUpTo', redis.call('HGET', KEYS[1], 'exchanges') or 0) end
return 1`
