import type { ReactNode } from 'react'
import type { NetworkHost, NetworkEntry } from '../../../../shared/contract/network.ts'
import { formatBytes, formatCount } from '../../../ui/format.ts'
import { When } from '../../../ui/InlineText.tsx'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { DataTable } from '../DataTable.tsx'

/** Display names of request purposes. */
const purposeNames = {
  chat: 'Chat',
  learning: 'Learning',
  server_check: 'Server test',
  download: 'Download',
  skill_import: 'Skill import',
  update: 'Update',
} as const

const sizes = [{ number: 'Sent' }, { number: 'Received' }]
const hostColumns = ['Host', 'Purpose', 'Requests', ...sizes, 'Last']
const requestColumns = ['When', 'Host', 'Purpose', 'Outcome', ...sizes]

/** The contacted hosts with request totals. */
export function HostTable({ hosts }: { hosts: readonly NetworkHost[] }): ReactNode {
  return (
    <DataTable caption="Who was contacted" columns={hostColumns}>
      {hosts.map(each => (
        <tr key={each.host}>
          <th scope="row">
            <HostName host={each.host} nearby={each.nearby} />
          </th>
          <td>{each.purposes.map(purpose => purposeNames[purpose]).join(', ')}</td>
          <td>
            {each.blocked === 0
              ? formatCount(each.requests)
              : each.requests === each.blocked
                ? `${formatCount(each.requests)}, all blocked`
                : `${formatCount(each.requests)}, ${formatCount(each.blocked)} blocked`}
          </td>
          <td className="data-number">{formatBytes(each.sentBytes)}</td>
          <td className="data-number">{formatBytes(each.receivedBytes)}</td>
          <td>
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
export function RequestTable({ entries }: { entries: readonly NetworkEntry[] }): ReactNode {
  return (
    <DataTable caption="Each request" columns={requestColumns}>
      {entries.map(entry => (
        <tr key={entry.id}>
          <td className="whitespace-nowrap">
            <When at={entry.at} />
          </td>
          <th scope="row">
            <HostName host={entry.host} nearby={entry.nearby} />
          </th>
          <td>
            {purposeNames[entry.purpose]}
            {entry.subject !== '' && <span className="block text-ink-3">{showHidden(entry.subject)}</span>}
          </td>
          <td className={looks[entry.state]}>{STATES[entry.state]}</td>
          <td className="data-number">{bytes(entry.sentBytes, entry)}</td>
          <td className="data-number">{bytes(entry.receivedBytes, entry)}</td>
        </tr>
      ))}
    </DataTable>
  )
}
