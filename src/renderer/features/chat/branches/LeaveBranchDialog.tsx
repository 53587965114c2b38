import { useState, type ReactNode } from 'react'
import { commandsLeft, type Leaving, type Move } from '../../../../shared/contract/chats/branches.ts'
import type { MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import type { SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import type { Outcome } from '../../../rpc/attempt.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { byCount } from '../../../../shared/text/amounts.ts'
import { countOf } from '../../../ui/text/format-values.ts'
import { learnedText, learnedVerb, skillVerb } from '../transcript/changes-by-turn.ts'
import { useChat } from '../store/open-chats.ts'
import { ObeyedAgreement, OfferedFiles, StuckFiles, useFileChoice } from '../take-back/OfferedFiles.tsx'
import { chosenLabel } from '../take-back/take-back-words.ts'
import { focusComposer, tellTrouble } from './MessageActions.tsx'

/** Asks which changes to files, memory and skills to undo, before a move that leaves them behind. */
export function LeaveBranchDialog(): ReactNode {
  const leaving = useChat(chat => chat.leaving)
  return leaving && <Offers key={leaving.id} how={leaving.how} left={leaving.left} />
}

/** What happens in any case, unless the user cancels. */
const EITHER_WAY: Readonly<Record<Move['how'], string>> = {
  undo: 'Your newest question is undone either way.',
  edit: 'Your edit is kept either way.',
  retry: 'The question is answered again either way.',
  switch: 'The chat switches to the other branch either way.',
}

function Offers({ how, left: { files, commands, memory, skills } }: { how: Move['how']; left: Leaving }) {
  const leave = useChat(chat => chat.leave)
  const choice = useFileChoice(files, 'none')
  const { usable, stuck, wanted, isAgreed, isReady } = choice
  const go = async () => {
    tellTrouble(await leave(wanted, isAgreed))
    if (how === 'undo') focusComposer()
  }
  const cancel = () => void leave(null)
  const isFilesOnly = memory.length + skills.length === 0
  return (
    <Dialog
      title={isFilesOnly ? 'Undo file changes too?' : 'Undo more than the messages?'}
      closeLabel="Close"
      width="medium"
      onClose={cancel}
    >
      <div className="grid max-h-[65vh] gap-4 overflow-y-auto pb-4">
        <p className="text-sm text-ink-2">{EITHER_WAY[how]}</p>
        {usable.length > 0 && (
          <fieldset className="grid min-w-0 gap-1">
            <legend className="mb-1 text-sm font-semibold">
              {`Changes to ${countOf(usable.length, 'file', 'files')} can be undone`}
            </legend>
            <p className="mb-1 text-sm text-ink-2">
              {byCount(
                usable.length,
                'It has not changed since. If you choose it, it goes back to its earlier state; you can reverse that.',
                'They have not changed since. Those you choose go back to their earlier state; you can reverse that.',
              )}
            </p>
            <OfferedFiles choice={choice} />
          </fieldset>
        )}
        <StuckFiles files={stuck} />
        {memory.length > 0 && <MemoryLeft revisions={memory} />}
        {skills.length > 0 && <SkillsLeft revisions={skills} />}
        {commands > 0 && <p className="text-sm text-ink-2">{commandsLeft(commands)}</p>}
      </div>
      <ObeyedAgreement choice={choice} />
      <DialogButtons
        disabled={!isReady}
        label={files.length === 0 ? 'Continue' : chosenLabel(wanted)}
        onClick={() => void go()}
        onCancel={cancel}
      />
    </Dialog>
  )
}

function MemoryLeft({ revisions }: { revisions: readonly MemoryRevision[] }) {
  const undo = useChat(chat => chat.undoLearned)
  return (
    <Learned title="Memory changes made there">
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
    <Learned title="Skill changes made there">
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
