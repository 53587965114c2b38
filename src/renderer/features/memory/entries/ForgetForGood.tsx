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

/** Asks whether an entry is to be forgotten for good, and names what goes and which chats keep it. */
export function ForgetForGood({ entry, onClose }: Props): ReactNode {
  const { ask } = useAnswers()
  const [busy, setBusy] = useState(false)
  // What is being forgotten changes the plan, which stays as it was confirmed.
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
        `Not all of it could be removed: ${showHiddenInLine(first.path)}, because ${first.why}. Talaria tries again.`,
        { level: 'error' },
      )
    else showToast('It was forgotten for good.')
    onClose()
  }

  return (
    <Dialog title="Forget for good?" closeLabel="Close" onClose={onClose} width="medium">
      <div className="grid gap-4">
        {plan?.ok === false && <Problem text={plan.fault.message} />}
        {problem !== null && <Problem text={problem} />}
        {plan?.ok && <Plan plan={plan.value} />}
        <DialogButtons
          label={busy ? 'Forgetting …' : 'Forget for good'}
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
          'This entry goes from the memory files, the archive, the history, Activity, training data and the backups that Talaria keeps. This cannot be undone.',
          `${formatCount(plan.entries)} entries with this text go from the memory files, the archive, the history, Activity, training data and the backups that Talaria keeps. This cannot be undone.`,
        )}
      </p>
      <ul aria-label="What goes" className="grid max-h-40 gap-2 overflow-y-auto text-sm">
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
        {plan.chats.length === 0 && 'No chat seems to hold it. '}
        Exports and copies outside of Talaria’s folder are not reached.
      </p>
    </>
  )
}

const saySkills = (names: readonly string[]) =>
  byCount(
    names.length,
    `This skill says it too, and stays as it is: ${names.join(', ')}.`,
    `${formatCount(names.length)} skills say it too, and stay as they are: ${names.join(', ')}.`,
  )

function Holders({ chats }: { chats: readonly HoldingChat[] }) {
  return (
    <section aria-label="Chats that keep it" className="grid gap-1">
      <p className="text-sm text-warn">
        These chats keep it. Open one to delete it; “Recently deleted” then removes it for good.
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
