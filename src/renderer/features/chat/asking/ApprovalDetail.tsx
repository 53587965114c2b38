import type { ReactNode } from 'react'
import type { Approval } from '../../../../shared/contract/runs/run.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Arguments, Block } from '../calls/CallDetail.tsx'
import { useWorkspace } from '../store/open-chats.ts'
import { ChangeText } from './ChangeText.tsx'
import { LeavingText } from './LeavingText.tsx'
import { placeElements } from '../../../ui/text/place-elements.tsx'

/** The exact action, and what its title omits: where it applies, what each part does, and its risk. */
export function ApprovalDetail({ approval }: { approval: Approval }): ReactNode {
  const folder = useOtherFolder(approval)
  const { sends, parts, reason } = approval
  const usesNetwork = approval.risk === 'network' && !sends && parts === undefined
  return (
    <div className="approval-detail">
      {sends ? <LeavingText sends={sends} /> : isInTitle(approval) || <Detail approval={approval} />}
      {parts !== undefined && <Parts parts={parts} />}
      {usesNetwork && <p className="text-sm">Uses the network</p>}
      {folder !== undefined && (
        <p className="text-xs break-all text-ink-2">
          {placeElements('Folder: {folder}', {
            folder: <bdi className="font-mono">{showHidden(folder)}</bdi>,
          })}
        </p>
      )}
      {reason !== '' && <p className="text-sm text-ink-2">{showHidden(reason)}</p>}
    </div>
  )
}

/** Tools whose titles name their file, relative to the folder of the chat. */
const OF_FILES = new Set(['write_file', 'patch_file'])

/** The folder of a call, unless it is the chat's or in the title. Tools of servers have no folder. */
function useOtherFolder({ title, folder, tool, sends, uses }: Approval): string | undefined {
  const ofChat = useWorkspace()
  if (sends || uses !== undefined || folder === ofChat || title.includes(folder)) return undefined
  // On Windows the path separator is a backslash.
  const isBelow = ['/', '\\'].some(sign => folder.startsWith(`${ofChat}${sign}`))
  return isBelow && OF_FILES.has(tool) ? undefined : folder
}

/** The title contains the whole of a short sub-agent task. */
const isInTitle = ({ tool, title, detail }: Approval): boolean =>
  detail === '' || (tool === 'delegate' && title.endsWith(`: ${detail}`))

/** The effect of each simple command. A single one is already shown above, so only its reasons are listed. */
function Parts({ parts }: { parts: NonNullable<Approval['parts']> }) {
  return (
    <ul aria-label="What it does" className="grid gap-0.5 text-sm text-ink">
      {parts.map(({ command, reasons }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity beyond their place
        <li key={at} className="flex flex-wrap gap-x-2">
          {parts.length > 1 && (
            <bdi dir="ltr" className="min-w-0 font-mono text-xs leading-5 break-all text-ink-2">
              {showHidden(command)}
            </bdi>
          )}
          <span className="first-letter:uppercase">{reasons.join(', ')}</span>
        </li>
      ))}
    </ul>
  )
}

const detailNames = {
  read: 'What would be read',
  write: 'What would change',
  execute: 'What exactly would run',
  network: 'What exactly would run',
}

/** The action itself. A new skill is shown as text even if it resembles a diff; a changed skill is shown as a diff. */
function Detail({ approval: { tool, risk, detail, uses } }: { approval: Approval }) {
  if (uses !== undefined) return <Given json={detail} />
  if (tool === 'describe_picture') return <p className="text-sm break-words">{showHidden(detail)}</p>
  if (tool === 'schedule') return <Block label="What would start automatically" text={detail} bare />
  if (OF_FILES.has(tool)) return <ChangeText diff={detail} />
  if (tool !== 'skill_manage') return <Block label={detailNames[risk]} text={detail} bare dir="ltr" />
  if (detail.startsWith('@@ ')) return <ChangeText diff={detail} />
  return <Block label="What it says" text={detail} bare diff={false} />
}

/** The arguments of a server's tool, each with its name. */
function Given({ json }: { json: string }) {
  const values = readGiven(json)
  if (!values) return <Block label="Input" text={json} bare dir="ltr" />
  return (
    <figure className="output-block given-values">
      <figcaption className="sr-only">Input</figcaption>
      {Object.keys(values).length === 0 ? (
        <p className="text-sm text-ink-3">It gets no input.</p>
      ) : (
        <Arguments values={values} write={writeExactly} />
      )}
    </figure>
  )
}

/** A value as JSON; text without quotes if it cannot be mistaken for another value. */
function writeExactly(value: unknown): string {
  const isPlain = typeof value === 'string' && value === value.trim() && !NOT_PLAIN.test(value)
  return isPlain ? value : JSON.stringify(value, null, 1)
}
const NOT_PLAIN = /^(?:$|["[{]|(?:true|false|null|-?\d[\d.e+-]*)$)/i

function readGiven(json: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(json)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read }
  } catch {
    // Not JSON: show the text unchanged.
  }
  return undefined
}
