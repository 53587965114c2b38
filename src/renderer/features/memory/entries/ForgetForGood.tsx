import { useState, type ReactNode } from 'react'
import type { ForgetPlan, HoldingChat, MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { goTo } from '../../../route.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { formatCount } from '../../../ui/text/format-values.ts'
import { byCount } from '../../../../shared/text/amounts.ts'

type Props = { entry: MemoryEntry; onClose: () => void }

/** Asks whether to forget an entry for good. Lists what is removed, and which chats still contain it. */
export function ForgetForGood({ entry, onClose }: Props): ReactNode {
  const { ask } = useAnswers()
  const [busy, setBusy] = useState(false)
  // Forgetting changes the plan, but the dialog keeps showing the confirmed one.
  const plan = useAnswer('memory.forgetPlan', { ids: [entry.id] }, { isOff: busy, isBrief: true })
  const [problem, setProblem] = useState<string | null>(null)

  const forget = async (texts: string[]) => {
    setBusy(true)
    const answer = await ask('memory.forgetForGood', { ids: [entry.id], texts })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.fault.message)
    const [first] = answer.value.left
    if (first)
      showToast(
        `Not everything was removed. Talaria will try again: ${showHiddenInLine(first.path)} (${first.why}).`,
        { level: 'error' },
      )
    else showToast('The entry was forgotten for good.')
    onClose()
  }

  return (
    <Dialog title="Forget for good?" closeLabel="Close" onClose={onClose} width="medium">
      <div className="grid gap-4">
        {plan?.ok === false && <Problem text={plan.fault.message} />}
        {problem !== null && <Problem text={problem} />}
        {plan?.ok && <Plan plan={plan.value} />}
        <DialogButtons
          label={busy ? 'Forgetting…' : 'Forget for good'}
          isDangerous
          disabled={busy || !plan?.ok}
          onClick={() => void (plan?.ok && forget(plan.value.texts))}
          onCancel={onClose}
        />
      </div>
    </Dialog>
  )
}

function Plan({ plan }: { plan: ForgetPlan }) {
  return (
    <>
      <p className="text-sm text-ink-2">
        {byCount(
          plan.entries,
          'This removes the entry from the memory files, the archive, the history, the Activity page, training data and Talaria’s backups. You cannot undo it.',
          `This removes ${formatCount(plan.entries)} entries with this text from the memory files, the archive, the history, the Activity page, training data and Talaria’s backups. You cannot undo it.`,
        )}
      </p>
      <ul aria-label="What is removed" className="grid max-h-40 gap-2 overflow-y-auto text-sm">
        {plan.texts.map(text => (
          <li key={text} dir="auto" className="break-words whitespace-pre-wrap">
            {text}
          </li>
        ))}
      </ul>
      {plan.chats.length > 0 && <Holders chats={plan.chats} />}
      {plan.skills.length > 0 && (
        <p dir="auto" className="text-sm text-warn">
          {saySkills(plan.skills.map(({ name }) => showHiddenInLine(name)))}
        </p>
      )}
      <p className="text-xs text-ink-3">
        {plan.chats.length === 0 && 'No chat seems to contain it. '}
        Exports and copies outside Talaria’s folder are not removed.
      </p>
    </>
  )
}

const saySkills = (names: readonly string[]) =>
  byCount(
    names.length,
    `This skill also contains it and is not changed: ${names.join(', ')}.`,
    `${formatCount(names.length)} skills also contain it and are not changed: ${names.join(', ')}.`,
  )

function Holders({ chats }: { chats: readonly HoldingChat[] }) {
  return (
    <section aria-label="Chats that still contain it" className="grid gap-1">
      <p className="text-sm text-warn">
        These chats still contain it. To remove it there, open a chat and delete it, then delete it for good
        in “Recently deleted”.
      </p>
      <ul className="max-h-40 divide-y divide-line overflow-y-auto text-sm">
        {chats.map(({ id, title, at, isDeleted }) => (
          <li key={id} className="flex items-center gap-3 py-1.5">
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {title || 'New chat'}
            </span>
            <span className="text-xs text-ink-3">
              {isDeleted ? 'in “Recently deleted”' : <When at={at} />}
            </span>
            {!isDeleted && (
              <button type="button" className="btn btn-quiet" onClick={() => goTo({ chatId: id })}>
                Open
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
