import type {
  NetworkEntry,
  NetworkHost,
  NetworkPurpose,
  UsageSum,
} from '../../shared/contract/connections/network.ts'
import type { Connection } from './connection.ts'

/** The usage of one answer. Times are epoch milliseconds, costs are dollars. */
export type UsageRow = {
  at: number
  sessionId: string
  modelId: string
  modelName: string
  kind: 'chat' | 'learning' | 'question' | 'api'
  promptTokens: number
  cachedTokens: number
  outputTokens: number
  ms: number
  costUsd: number | null
}

type UsageRead = {
  total: UsageSum
  days: (UsageSum & { day: string })[]
  models: (UsageSum & { modelId: string; name: string })[]
  chats: (UsageSum & { sessionId: string; title: string })[]
  kinds: (UsageSum & { kind: UsageRow['kind'] })[]
}

/** Requests that were sent or blocked (`net/`). */
export type NetworkStore = {
  begin(
    entry: Pick<NetworkEntry, 'at' | 'host' | 'purpose' | 'subject' | 'nearby'> & {
      state: 'running' | 'blocked'
    },
  ): number
  /** Count another request on an existing ledger line; false if the line is gone. */
  again(id: number, subject: string): boolean
  end(
    id: number,
    outcome: Pick<NetworkEntry, 'sentBytes' | 'receivedBytes' | 'ms'> & { state: 'done' | 'failed' },
  ): void
  /** Return entries, newest first, older than the entry `before`. */
  list(before: number, limit: number): NetworkEntry[]
  hosts(): NetworkHost[]
  clear(): void
}

/** The usage of answers. */
export type UsageStore = {
  add(row: UsageRow): void
  read(range: {
    from?: number | undefined
    to?: number | undefined
    sessionId?: string | undefined
  }): UsageRead
}

/** Maximum number of requests in the ledger; the oldest are deleted first. */
const KEPT = 20_000
/** How many requests to add between checks of that maximum. */
const EVERY = 200

type Raw = Omit<NetworkEntry, 'nearby'> & { nearby: number }
type RawHost = Omit<NetworkHost, 'nearby' | 'purposes'> & { nearby: number; purposes: string }

const ENTRY = `id, at, host, purpose, subject, nearby, state, sent_bytes as sentBytes, received_bytes as receivedBytes, ms`

/** The ledger of requests. Any still `running` after the program ended counts as failed. */
export function createNetworkStore({ db }: Connection): NetworkStore {
  db.exec(`update network set state = 'failed' where state = 'running'`)
  const begin = db.prepare<[object], { id: number }>(`
    insert into network (at, host, purpose, subject, nearby, state)
    values (@at, @host, @purpose, @subject, @nearby, @state) returning id`)
  const end = db.prepare<[object]>(`
    update network set state = @state, sent_bytes = @sentBytes, received_bytes = @receivedBytes, ms = @ms where id = @id`)
  const again = db.prepare<[object]>(
    `update network set state = 'running', subject = @subject where id = @id`,
  )
  const list = db.prepare<[number, number], Raw>(
    `select ${ENTRY} from network where id < ? order by id desc limit ?`,
  )
  const hosts = db.prepare<[], RawHost>(`
    select host, max(nearby) as nearby, group_concat(distinct purpose) as purposes, count(*) as requests,
      sum(state = 'blocked') as blocked, coalesce(sum(sent_bytes), 0) as sentBytes,
      coalesce(sum(received_bytes), 0) as receivedBytes, min(at) as firstAt, max(at) as lastAt
    from network group by host order by lastAt desc`)
  const clear = db.prepare(`delete from network where state <> 'running'`)
  const prune = db.prepare<[number]>(`
    delete from network where id <= (select id from network order by id desc limit 1 offset ?)`)

  return {
    begin(entry) {
      const { id } = begin.get({ ...entry, nearby: entry.nearby ? 1 : 0 })!
      if (id % EVERY === 0) prune.run(KEPT)
      return id
    },
    again: (id, subject) => again.run({ id, subject }).changes > 0,
    end(id, outcome) {
      end.run({ id, ...outcome })
    },
    list: (before, limit) => list.all(before, limit).map(raw => ({ ...raw, nearby: raw.nearby === 1 })),
    hosts: () =>
      hosts.all().map(raw => ({
        ...raw,
        nearby: raw.nearby === 1,
        purposes: raw.purposes.split(',') as NetworkPurpose[],
      })),
    clear() {
      clear.run()
    },
  }
}

type Sum = Omit<UsageSum, 'costUsd'> & { costUsd: number | null }

// If nothing in a group has a price, its cost is null, not 0.
const SUMS = `count(*) as answers, sum(prompt_tokens) as promptTokens, sum(cached_tokens) as cachedTokens,
  sum(output_tokens) as outputTokens, sum(ms) as ms, sum(cost_usd) as costUsd`
const WHERE = `at >= @from and at < @to and (@sessionId is null or session_id = @sessionId)`
const MOST_CHATS = 50

const NOTHING: Sum = { answers: 0, promptTokens: 0, cachedTokens: 0, outputTokens: 0, ms: 0, costUsd: null }

/** The usage of answers, one row each. Rows of deleted chats stay, because their tokens were used. */
export function createUsageStore({ db }: Connection): UsageStore {
  const add = db.prepare<[object]>(`
    insert into usage (at, session_id, model_id, model_name, kind, prompt_tokens, cached_tokens, output_tokens, ms, cost_usd)
    values (@at, @sessionId, @modelId, @modelName, @kind, @promptTokens, @cachedTokens, @outputTokens, @ms, @costUsd)`)
  const total = db.prepare<[object], Sum>(`select ${SUMS} from usage where ${WHERE} having count(*) > 0`)
  const days = db.prepare<[object], Sum & { day: string }>(`
    select date(at / 1000, 'unixepoch', 'localtime') as day, ${SUMS} from usage where ${WHERE} group by day order by day`)
  const models = db.prepare<[object], Sum & { modelId: string; name: string }>(`
    select model_id as modelId, max(model_name) as name, ${SUMS} from usage where ${WHERE}
    group by model_id order by promptTokens + outputTokens desc`)
  const chats = db.prepare<[object], Sum & { sessionId: string; title: string }>(`
    select u.session_id as sessionId, coalesce(max(s.title), '') as title, ${SUMS}
    from usage u left join sessions s on s.id = u.session_id
    where ${WHERE} and kind not in ('question', 'api') group by u.session_id
    order by promptTokens + outputTokens desc limit ${MOST_CHATS}`)
  const kinds = db.prepare<[object], Sum & { kind: UsageRow['kind'] }>(`
    select kind, ${SUMS} from usage where ${WHERE} group by kind order by kind`)

  return {
    add(row) {
      add.run(row)
    },
    read({ from = 0, to = Number.MAX_SAFE_INTEGER, sessionId = null }) {
      const range = { from, to, sessionId }
      return {
        total: total.get(range) ?? NOTHING,
        days: days.all(range),
        models: models.all(range),
        chats: chats.all(range),
        kinds: kinds.all(range),
      }
    },
  }
}
