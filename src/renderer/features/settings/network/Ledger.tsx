import { useState, type ReactNode } from 'react'
import type { NetworkEntry, NetworkHost } from '../../../../shared/contract/connections/network.ts'
import type { Answer } from '../../../rpc/answers.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useAnswers, useLink } from '../../../rpc/host-context.tsx'
import { usePages } from '../../../rpc/use-answer.ts'
import { Banner, Problem } from '../../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { countOf, formatBytes, formatCount } from '../../../ui/text/format-values.ts'
import { Part, DataTable } from '../SectionParts.tsx'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { When } from '../../../ui/text/InlineText.tsx'

/** How many requests a page shows. */
const PAGE = 50

/** The network ledger: contacted hosts and single requests. */
export function Ledger(): ReactNode {
  const { renew } = useAnswers()
  const [isClearing, setClearing] = useState(false)
  const page = usePages<'network.list', Answer<'network.list'>>(
    'network.list',
    known => {
      const before = known.at(-1)?.entries.at(-1)?.id
      return { limit: PAGE, ...(before !== undefined && { before }) }
    },
    answer => ({ items: [answer], more: answer.entries.length === PAGE }),
  )
  const { more, problem } = page
  const items = page.items?.flatMap(({ entries }) => entries)
  const hosts = page.items?.[0]?.hosts ?? []
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
                <button type="button" className="btn btn-secondary" onClick={() => void renew(['network'])}>
                  Try again
                </button>
              }
            >
              {`The list could not be read: ${problem}`}
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
          onClose={() => setClearing(false)}
        />
      )}
    </>
  )
}

type Props = { count: number; onClose: () => void }

/** Confirms clearing the ledger. */
function ClearDialog({ count, onClose }: Props): ReactNode {
  const { client } = useLink()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const clear = async () => {
    setBusy(true)
    const answer = await attemptCall(client['network.clear']({}))
    setBusy(false)
    if (!answer.ok) return setProblem(answer.fault.message)
    onClose()
  }
  return (
    <Dialog title="Clear the list of requests?" closeLabel="Close" onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm text-ink-2">{`The record of ${countOf(count, 'request', 'requests')} is deleted. This cannot be undone.`}</p>
        <Problem text={problem} />
        <DialogButtons
          label="Clear the list"
          isDangerous
          disabled={isBusy}
          onClick={() => void clear()}
          onCancel={onClose}
        />
      </div>
    </Dialog>
  )
}

/** Display names of request purposes. */
const purposeNames = {
  chat: 'Chat',
  learning: 'Learning',
  schedule: 'Schedule',
  server_check: 'Server test',
  download: 'Download',
  skill_import: 'Skill import',
  mcp: 'Connection',
  web: 'Web',
  messenger: 'Messenger',
  update: 'Update',
} as const

const sizes = [{ number: 'Sent' }, { number: 'Received' }]
const hostColumns = ['Host', 'Purpose', 'Requests', ...sizes, 'Last']
const requestColumns = ['When', 'Host', 'Purpose', 'Outcome', ...sizes]

/** The contacted hosts with request totals. */
function HostTable({ hosts }: { hosts: readonly NetworkHost[] }): ReactNode {
  return (
    <DataTable caption="Who was contacted" columns={hostColumns} folds>
      {hosts.map(each => (
        <tr key={each.host}>
          <th scope="row">
            <HostName host={each.host} nearby={each.nearby} />
          </th>
          <td data-label="Purpose">{each.purposes.map(purpose => purposeNames[purpose]).join(', ')}</td>
          <td data-label="Requests">
            {each.blocked === 0
              ? formatCount(each.requests)
              : each.requests === each.blocked
                ? `${formatCount(each.requests)}, all blocked`
                : `${formatCount(each.requests)}, ${formatCount(each.blocked)} blocked`}
          </td>
          <td className="data-number" data-label="Sent">
            {formatBytes(each.sentBytes)}
          </td>
          <td className="data-number" data-label="Received">
            {formatBytes(each.receivedBytes)}
          </td>
          <td data-label="Last">
            <When at={each.lastAt} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

/** The name of a host, with a badge if it is this computer. */
function HostName({ host, nearby }: { host: string; nearby: boolean }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <bdi className="break-all">{showHidden(host)}</bdi>
      {nearby && <span className="badge">this computer</span>}
    </span>
  )
}

const STATES = { running: 'Under way', done: 'Done', failed: 'Failed', blocked: 'Blocked' } as const

const looks: Record<NetworkEntry['state'], string> = {
  running: 'text-accent',
  done: 'text-ink-2',
  failed: 'text-danger',
  blocked: 'text-warn',
}

/** Blocked requests send no bytes. The bytes of another program are unknown. */
const bytes = (count: number | null, { state }: NetworkEntry) =>
  count === null ? (state === 'blocked' ? '–' : 'unknown') : formatBytes(count)

/** All requests, newest first. */
function RequestTable({ entries }: { entries: readonly NetworkEntry[] }): ReactNode {
  return (
    <DataTable caption="Each request" columns={requestColumns} folds>
      {entries.map(entry => (
        <tr key={entry.id}>
          <td className="whitespace-nowrap" data-label="When">
            <When at={entry.at} />
          </td>
          <th scope="row">
            <HostName host={entry.host} nearby={entry.nearby} />
          </th>
          <td data-label="Purpose">
            {purposeNames[entry.purpose]}
            {entry.subject !== '' && <span className="block text-ink-3">{showHidden(entry.subject)}</span>}
          </td>
          <td className={looks[entry.state]} data-label="Outcome">
            {STATES[entry.state]}
          </td>
          <td className="data-number" data-label="Sent">
            {bytes(entry.sentBytes, entry)}
          </td>
          <td className="data-number" data-label="Received">
            {bytes(entry.receivedBytes, entry)}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
