import type { UsageSum } from '../../shared/contract/usage.ts'
import type { Connection } from './connection.ts'
import type { Store } from './types.ts'

type Sum = Omit<UsageSum, 'costUsd'> & { costUsd: number | null }

// Where nothing of a group has a price, its cost is null and not 0.
const SUMS = `count(*) as answers, sum(prompt_tokens) as promptTokens, sum(cached_tokens) as cachedTokens,
  sum(output_tokens) as outputTokens, sum(ms) as ms, sum(cost_usd) as costUsd`
const WHERE = `at >= @from and at < @to and (@sessionId is null or session_id = @sessionId)`
const MOST_CHATS = 50

const NOTHING: Sum = { answers: 0, promptTokens: 0, cachedTokens: 0, outputTokens: 0, ms: 0, costUsd: null }

/** The usage of answers, one row each. Rows of deleted chats stay, because their tokens were used. */
export function createUsageStore({ db }: Connection): Store['usage'] {
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
    where ${WHERE} and kind <> 'question' group by u.session_id
    order by promptTokens + outputTokens desc limit ${MOST_CHATS}`)
  const kinds = db.prepare<[object], Sum & { kind: 'chat' | 'learning' | 'question' }>(`
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
