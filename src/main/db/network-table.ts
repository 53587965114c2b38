import type { NetworkEntry, NetworkHost, NetworkPurpose } from '../../shared/contract/network.ts'
import type { Connection } from './connection.ts'
import type { Store } from './types.ts'

/** The most requests in the ledger; the oldest are deleted first. */
const KEPT = 20_000
/** Check for too many after this many requests. */
const EVERY = 200

type Raw = Omit<NetworkEntry, 'nearby'> & { nearby: number }
type RawHost = Omit<NetworkHost, 'nearby' | 'purposes'> & { nearby: number; purposes: string }

const ENTRY = `id, at, host, purpose, subject, nearby, state, sent_bytes as sentBytes, received_bytes as receivedBytes, ms`

/** The ledger of requests. What was under way when the program ended is found as `running` and counts as failed. */
export function createNetworkStore({ db }: Connection): Store['network'] {
  db.exec(`update network set state = 'failed' where state = 'running'`)
  const begin = db.prepare<[object], { id: number }>(`
    insert into network (at, host, purpose, subject, nearby, state)
    values (@at, @host, @purpose, @subject, @nearby, @state) returning id`)
  const end = db.prepare<[object]>(`
    update network set state = @state, sent_bytes = @sentBytes, received_bytes = @receivedBytes, ms = @ms where id = @id`)
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
