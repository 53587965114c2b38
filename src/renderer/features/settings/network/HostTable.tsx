import type { ReactNode } from 'react'
import type { NetworkHost } from '../../../../shared/contract/network.ts'
import { formatBytes } from '../../../ui/format.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { When } from '../../../ui/When.tsx'
import { networkText } from './strings.ts'

/** Who was contacted, with all requests together. */
export function HostTable({ hosts }: { hosts: readonly NetworkHost[] }): ReactNode {
  return (
    <Scrollable label={networkText.hosts} className="data-frame">
      <table className="data-table">
        <caption>{networkText.hosts}</caption>
        <thead>
          <tr>
            <th scope="col">{networkText.host}</th>
            <th scope="col">{networkText.why}</th>
            <th scope="col">{networkText.count}</th>
            <th scope="col" className="data-number">
              {networkText.sent}
            </th>
            <th scope="col" className="data-number">
              {networkText.received}
            </th>
            <th scope="col">{networkText.last}</th>
          </tr>
        </thead>
        <tbody>
          {hosts.map(each => (
            <tr key={each.host}>
              <th scope="row">
                <HostName host={each.host} nearby={each.nearby} />
              </th>
              <td>{each.purposes.map(purpose => networkText.purposes[purpose]).join(', ')}</td>
              <td>{networkText.some(each.requests, each.blocked)}</td>
              <td className="data-number">{formatBytes(each.sentBytes)}</td>
              <td className="data-number">{formatBytes(each.receivedBytes)}</td>
              <td>
                <When at={each.lastAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}

/** The name of a host, and whether it is this very computer. */
export function HostName({ host, nearby }: { host: string; nearby: boolean }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <bdi className="break-all">{host}</bdi>
      {nearby && <span className="badge">{networkText.nearby}</span>}
    </span>
  )
}
