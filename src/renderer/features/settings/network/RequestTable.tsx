import type { ReactNode } from 'react'
import type { NetworkEntry } from '../../../../shared/contract/network.ts'
import { formatBytes } from '../../../ui/format.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { When } from '../../../ui/When.tsx'
import { HostName } from './HostTable.tsx'
import { networkText } from './strings.ts'

const looks: Record<NetworkEntry['state'], string> = {
  running: 'text-accent',
  done: 'text-ink-2',
  failed: 'text-danger',
  blocked: 'text-warn',
}

/** What was kept back has no bytes, and of what another program did nobody knows them. */
const bytes = (count: number | null, { state }: NetworkEntry) =>
  count === null ? (state === 'blocked' ? networkText.none : networkText.unknown) : formatBytes(count)

/** Each request, the newest first. */
export function RequestTable({ entries }: { entries: readonly NetworkEntry[] }): ReactNode {
  return (
    <Scrollable label={networkText.list} className="data-frame">
      <table className="data-table">
        <caption>{networkText.list}</caption>
        <thead>
          <tr>
            <th scope="col">{networkText.when}</th>
            <th scope="col">{networkText.host}</th>
            <th scope="col">{networkText.why}</th>
            <th scope="col">{networkText.state}</th>
            <th scope="col" className="data-number">
              {networkText.sent}
            </th>
            <th scope="col" className="data-number">
              {networkText.received}
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
                {networkText.purposes[entry.purpose]}
                {entry.subject !== '' && <span className="block text-ink-3">{entry.subject}</span>}
              </td>
              <td className={looks[entry.state]}>{networkText.states[entry.state]}</td>
              <td className="data-number">{bytes(entry.sentBytes, entry)}</td>
              <td className="data-number">{bytes(entry.receivedBytes, entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}
