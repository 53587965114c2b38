import type { ReactNode } from 'react'
import type { NetworkEntry } from '../../../../shared/contract/network.ts'
import { formatBytes } from '../../../ui/format.ts'
import { When } from '../../../ui/InlineText.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { HostName } from './HostTable.tsx'
import { purposeNames } from './purpose-names.ts'

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
    <Scrollable label="Each request" className="data-frame">
      <table className="data-table">
        <caption>Each request</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Host</th>
            <th scope="col">Purpose</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="data-number">
              Sent
            </th>
            <th scope="col" className="data-number">
              Received
            </th>
          </tr>
        </thead>
        <tbody>
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
                {entry.subject !== '' && <span className="block text-ink-3">{entry.subject}</span>}
              </td>
              <td className={looks[entry.state]}>{STATES[entry.state]}</td>
              <td className="data-number">{bytes(entry.sentBytes, entry)}</td>
              <td className="data-number">{bytes(entry.receivedBytes, entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}
