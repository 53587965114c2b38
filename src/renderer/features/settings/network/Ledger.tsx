import { useState, type ReactNode } from 'react'
import type { NetworkEntry, NetworkHost } from '../../../../shared/contract/network.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { usePaged } from '../../../rpc/use-asked.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Part } from '../sections/Part.tsx'
import { ClearDialog } from './ClearDialog.tsx'
import { HostTable } from './HostTable.tsx'
import { RequestTable } from './RequestTable.tsx'

/** The network ledger: contacted hosts and single requests. */
export function Ledger(): ReactNode {
  const { client } = useLink()
  const version = useHost(host => host.networkVersion)
  const [hosts, setHosts] = useState<readonly NetworkHost[]>([])
  const [isClearing, setClearing] = useState(false)
  const [tries, setTries] = useState(0)
  const page = usePaged<NetworkEntry>(async (known, limit, signal) => {
    const before = known.at(-1)?.id
    const answer = await attempt(
      client['network.list'](
        { limit, ...(before === undefined ? {} : { before }) },
        signal ? { signal } : {},
      ),
    )
    if (!answer.ok) return answer
    const { entries, hosts } = answer.value
    setHosts(hosts)
    return { ok: true, value: { items: entries, more: entries.length === limit } }
  }, `${version} ${tries}`)
  const { items, more, problem } = page
  return (
    <>
      <Part
        id="requests"
        title="What was sent"
        hint="Every request from Talaria is recorded here before it is sent. Commands that the agent runs are separate programs and do not appear here."
      >
        <div role="alert" className="notice-stack">
          {problem !== null && (
            <Banner
              level="error"
              actions={
                <button type="button" className="btn btn-secondary" onClick={() => setTries(tries + 1)}>
                  Try again
                </button>
              }
            >
              The list could not be read: {problem}
            </Banner>
          )}
        </div>
        {items?.length === 0 && <p className="text-sm text-ink-2">No requests yet.</p>}
        {items !== undefined && items.length > 0 && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <HostTable hosts={hosts} />
            <RequestTable entries={items} />
            <div className="flex flex-wrap gap-2">
              {more && (
                <button type="button" className="btn btn-secondary" onClick={() => void page.loadMore()}>
                  Show more
                </button>
              )}
              <button
                type="button"
                aria-haspopup="dialog"
                className="btn btn-quiet"
                onClick={() => setClearing(true)}
              >
                Clear the list…
              </button>
            </div>
          </div>
        )}
      </Part>
      {isClearing && (
        <ClearDialog
          count={hosts.reduce((sum, { requests }) => sum + requests, 0)}
          onCleared={() => setTries(tries + 1)}
          onClose={() => setClearing(false)}
        />
      )}
    </>
  )
}
