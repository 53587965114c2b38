import type { ReactNode } from 'react'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { formatBytes, formatCount } from '../../../ui/format.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { DataTable } from '../DataTable.tsx'
import { Part } from '../SectionParts.tsx'

/** The size of everything in the home folder. `version` changes when it should be measured again. */
export function SizesPart({ version }: { version: string }): ReactNode {
  const { client } = useLink()
  const answer = useAsked(async signal => attemptCall(client['data.sizes']({}, { signal })), version)
  return (
    <Part id="sizes" title="What takes space" hint="Everything in Talaria’s folder.">
      {answer === undefined && (
        <p className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner /> Measuring…
        </p>
      )}
      {answer?.ok === false && (
        <p role="alert" className="text-sm text-danger">
          The sizes could not be read: {answer.fault.message}
        </p>
      )}
      {answer?.ok && (
        <DataTable caption="By part" columns={['What', { number: 'Files' }, { number: 'Size' }]}>
          {answer.value.parts.map(({ id, title, files, bytes }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td className="data-number">{formatCount(files)}</td>
              <td className="data-number">{formatBytes(bytes)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Everything</th>
            <td className="data-number">
              {formatCount(answer.value.parts.reduce((sum, { files }) => sum + files, 0))}
            </td>
            <td className="data-number">{formatBytes(answer.value.bytes)}</td>
          </tr>
        </DataTable>
      )}
    </Part>
  )
}
