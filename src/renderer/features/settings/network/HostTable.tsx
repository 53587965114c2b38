import type { ReactNode } from 'react'
import type { NetworkHost } from '../../../../shared/contract/network.ts'
import { formatBytes, formatCount } from '../../../ui/format.ts'
import { When } from '../../../ui/InlineText.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { purposeNames } from './purpose-names.ts'

/** The contacted hosts with request totals. */
export function HostTable({ hosts }: { hosts: readonly NetworkHost[] }): ReactNode {
  return (
    <Scrollable label="Who was contacted" className="data-frame">
      <table className="data-table">
        <caption>Who was contacted</caption>
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Purpose</th>
            <th scope="col">Requests</th>
            <th scope="col" className="data-number">
              Sent
            </th>
            <th scope="col" className="data-number">
              Received
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </Scrollable>
  )
}

/** The name of a host, with a badge if it is this computer. */
export function HostName({ host, nearby }: { host: string; nearby: boolean }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <bdi className="break-all">{host}</bdi>
      {nearby && <span className="badge">this computer</span>}
    </span>
  )
}
