import { useState, type ReactNode } from 'react'
import { commandsLeft, type Leaving } from '../../../../shared/contract/branches.ts'
import type { ChangedFile } from '../../../../shared/contract/changed-files.ts'
import type { MemoryRevision } from '../../../../shared/contract/memory.ts'
import type { SkillRevision } from '../../../../shared/contract/skills.ts'
import { sayObeyed } from '../../../../shared/obeyed-text.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import type { Outcome } from '../../../rpc/attempt.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { byCount } from '../../../../shared/amounts.ts'
import { countOf } from '../../../ui/format.ts'
import { Block } from '../CallDetail.tsx'
import { learnedText, learnedVerb, skillVerb } from '../changes-by-turn.ts'
import { useChat } from '../chats.ts'
import { Disclosure } from '../Disclosure.tsx'
import { tellTrouble } from './MessageActions.tsx'

/** Before a move that would leave changed files, memory or skills behind: what the user wants to take back with it. */
export function LeavingDialog(): ReactNode {
  const leaving = useChat(chat => chat.leaving)
  return leaving && <Offers key={leaving.id} left={leaving.left} />
}

function Offers({ left: { files, commands, memory, skills } }: { left: Leaving }) {
  const leave = useChat(chat => chat.leave)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const usable = files.filter(({ problem }) => problem === null)
  const stuck = files.filter(({ problem }) => problem !== null)
  const choose = (path: string, isChosen: boolean) =>
    setChosen(before => new Set(isChosen ? [...before, path] : [...before].filter(each => each !== path)))
  const wanted = usable.filter(({ path }) => chosen.has(path))
  const obeyed = wanted.filter(({ obeyedBy }) => obeyedBy !== undefined)
  const [isAgreed, setAgreed] = useState(false)
  const go = async () => tellTrouble(await leave(wanted, obeyed.length > 0 && isAgreed))
  const cancel = () => void leave(null)
  return (
    <Dialog title="What the part you leave changed" closeLabel="Close" width="medium" onClose={cancel}>
      <div className="grid max-h-[65vh] gap-4 overflow-y-auto pb-4">
        {usable.length > 0 && (
          <fieldset className="grid min-w-0 gap-1">
            <legend className="mb-1 text-sm font-semibold">
              {`Also restore ${countOf(usable.length, 'file', 'files')}`}
            </legend>
            <p className="mb-1 text-sm text-ink-2">
              {`Nobody changed ${byCount(usable.length, 'it', 'them')} since. What you choose becomes what it was; that can be undone.`}
            </p>
            {usable.map(file => (
              <OfferedFile
                key={file.path}
                file={file}
                isChosen={chosen.has(file.path)}
                onChoose={isChosen => choose(file.path, isChosen)}
              />
            ))}
          </fieldset>
        )}
        {stuck.length > 0 && <StuckFiles files={stuck} />}
        {memory.length > 0 && <MemoryLeft revisions={memory} />}
        {skills.length > 0 && <SkillsLeft revisions={skills} />}
        {commands > 0 && <p className="text-sm text-ink-2">{commandsLeft(commands)}</p>}
      </div>
      {obeyed.length > 0 && (
        <label className="mb-4 flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            className="mt-1"
            checked={isAgreed}
            onChange={event => setAgreed(event.target.checked)}
          />
          <span className="min-w-0 break-words">
            {`Yes, also what programs obey without being asked: ${obeyed.map(({ name }) => showHidden(name)).join(', ')}`}
          </span>
        </label>
      )}
      <DialogButtons
        disabled={obeyed.length > 0 && !isAgreed}
        label={chosen.size === 0 ? 'Go on' : `Restore ${countOf(chosen.size, 'file', 'files')} and go on`}
        onClick={() => void go()}
        onCancel={cancel}
      />
    </Dialog>
  )
}

const EFFECTS = {
  write: '',
  create: 'It comes back.',
  remove: 'It did not exist, so it is removed.',
} as const

type OfferedProps = { file: ChangedFile; isChosen: boolean; onChoose: (isChosen: boolean) => void }

function OfferedFile({ file: { name, change, diff, note, obeyedBy }, isChosen, onChoose }: OfferedProps) {
  const [open, setOpen] = useState(false)
  const shown = showHidden(name)
  return (
    <div className="grid min-w-0 gap-1 rounded-lg border border-line px-2.5 py-1.5">
      <label className="flex min-w-0 items-center gap-2 text-sm">
        <input type="checkbox" checked={isChosen} onChange={event => onChoose(event.target.checked)} />
        <span dir="auto" className="min-w-0 font-medium break-words">
          {shown}
        </span>
      </label>
      {EFFECTS[change] !== '' && <p className="text-xs text-ink-2">{EFFECTS[change]}</p>}
      {obeyedBy !== undefined && <p className="text-xs text-warn">{sayObeyed(obeyedBy)}</p>}
      {note !== '' && <p className="text-xs text-ink-2">{note}</p>}
      {diff !== null && diff !== '' && (
        <Disclosure open={open} onToggle={() => setOpen(!open)} inline line={`Changes to ${shown}`}>
          <Block label="What restoring changes" text={diff} diff />
        </Disclosure>
      )}
    </div>
  )
}

function StuckFiles({ files }: { files: readonly ChangedFile[] }) {
  return (
    <section aria-label="Files that stay as they are">
      <h3 className="mb-1 text-sm font-semibold">Files that stay as they are</h3>
      <ul className="grid gap-1 text-sm">
        {files.map(({ path, name, problem }) => (
          <li key={path} className="break-words">
            <span dir="auto" className="font-medium">
              {showHidden(name)}
            </span>
            <span className="text-ink-2">: {showHidden(problem ?? '')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function MemoryLeft({ revisions }: { revisions: readonly MemoryRevision[] }) {
  const undo = useChat(chat => chat.undoLearned)
  return (
    <Learned title="Changed in memory there">
      {revisions.map(revision => (
        <Change
          key={revision.id}
          verb={learnedVerb(revision.op)}
          text={learnedText(revision)}
          undo={() => undo(revision.id)}
        />
      ))}
    </Learned>
  )
}

function SkillsLeft({ revisions }: { revisions: readonly SkillRevision[] }) {
  const undo = useChat(chat => chat.undoSkillChange)
  return (
    <Learned title="Skills changed there">
      {revisions.map(revision => (
        <Change
          key={revision.id}
          verb={skillVerb(revision.op)}
          text={revision.name}
          undo={() => undo(revision.id)}
        />
      ))}
    </Learned>
  )
}

function Learned({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      <ul className="grid gap-1">{children}</ul>
    </section>
  )
}

type ChangeProps = { verb: string; text: string; undo: () => Promise<Outcome<unknown>> }

function Change({ verb, text, undo }: ChangeProps) {
  const [isUndone, setUndone] = useState(false)
  const shown = showHidden(text)
  const take = async () => {
    const undone = await undo()
    tellTrouble(undone)
    setUndone(undone.ok)
  }
  return (
    <li className="flex items-baseline gap-2 text-sm">
      <span dir="auto" className="min-w-0 flex-1 break-words">
        {`${isUndone ? 'Undone' : verb}: ${shown}`}
      </span>
      {!isUndone && (
        <button
          type="button"
          aria-label={`Undo: ${shown}`}
          className="btn btn-quiet"
          onClick={() => void take()}
        >
          Undo
        </button>
      )}
    </li>
  )
}
