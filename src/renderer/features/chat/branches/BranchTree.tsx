import { showUnseen } from '../../../../shared/visible-text/show-unseen.ts'
import { GitBranch } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Branch } from '../../../../shared/contract/chats/branches.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { byCount } from '../../../../shared/text/amounts.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { cx } from '../../../ui/style.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { callTitle } from '../calls/tool-calls.ts'
import { useChat } from '../store/open-chats.ts'
import { TakeBackDialog } from '../take-back/TakeBackDialog.tsx'
import { LeaveBranchDialog } from './LeaveBranchDialog.tsx'
import { focusComposer, tellTrouble } from './MessageActions.tsx'

/** Maximum number of branches shown, newest first. */
const MOST = 200
const INDENT = 16
const MOST_INDENTS = 6

/** The button that shows the branches of a chat. Hidden if it has none. */
export function BranchesButton(): ReactNode {
  const some = useChat(chat => chat.branches.length > 0)
  const [open, setOpen] = useState(false)
  return (
    <>
      {some && (
        <IconButton label="Branches of this chat" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <GitBranch size={16} />
        </IconButton>
      )}
      {open && <BranchDialog onClose={() => setOpen(false)} />}
      <StopFirst />
      <LeaveBranchDialog />
      <TakeBackDialog />
    </>
  )
}

function BranchDialog({ onClose }: { onClose: () => void }) {
  const branches = useChat(chat => chat.branches)
  const switchTo = useChat(chat => chat.switchTo)
  const shown = inTree(branches.slice(-MOST))
  const choose = async (id: number) => {
    onClose()
    tellTrouble(await switchTo(id))
  }
  return (
    <Dialog title="Branches of this chat" closeLabel="Close" width="medium" onClose={onClose} givesWay>
      <p className="mb-3 text-sm text-ink-2">
        Each edit and each new answer starts a branch. Choose one to continue there; the others are kept.
      </p>
      <ul className="grid max-h-[60vh] gap-0.5 overflow-y-auto">
        {shown.map(({ branch, depth }) => (
          <li key={branch.id} style={{ paddingInlineStart: Math.min(depth, MOST_INDENTS) * INDENT }}>
            <button
              type="button"
              aria-current={branch.isOnPath || undefined}
              className={cx(
                'flex w-full items-baseline gap-2 rounded-lg px-2.5 py-1.5 text-start text-sm hover:bg-hover',
                branch.isOnPath && 'bg-active font-medium',
              )}
              onClick={() => void choose(branch.id)}
            >
              <span className="shrink-0 text-xs text-ink-2">{branch.role === 'user' ? 'You' : 'Answer'}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {showUnseen(branch.text) || titleOfCalls(branch)}
              </span>
              <span className="shrink-0 text-xs text-ink-2">
                <When at={branch.at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {branches.length > MOST && (
        <p className="mt-3 text-sm text-ink-2">
          {`The newest ${formatCount(MOST)} of ${formatCount(branches.length)} are shown. The arrows below a message reach all its versions.`}
        </p>
      )}
    </Dialog>
  )
}

/** A title for an answer without text: its first call, and the number of other calls. */
function titleOfCalls({ id, called }: Branch): string {
  if (!called) return 'Tool calls'
  const { name, arguments: given, count } = called
  const first = callTitle({ id: String(id), name, arguments: given })
  if (count <= 1) return first
  return byCount(count - 1, `${first}, and one more call`, `${first}, and ${count - 1} more calls`)
}

/** The branches in tree order, each with its depth. */
function inTree(branches: readonly Branch[]): { branch: Branch; depth: number }[] {
  const known = new Set(branches.map(({ id }) => id))
  const under = Map.groupBy(branches, ({ below }) => (below !== null && known.has(below) ? below : 0))
  const rows: { branch: Branch; depth: number }[] = []
  const waiting = (under.get(0) ?? []).map(branch => ({ branch, depth: 0 })).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    rows.push(next)
    const { branch, depth } = next
    const more = (under.get(branch.id) ?? []).map(each => ({ branch: each, depth: depth + 1 }))
    waiting.push(...more.toReversed())
  }
  return rows
}

/** Asks before an answer is stopped for an edit. */
function StopFirst() {
  const waits = useChat(chat => chat.waiting !== null)
  const settle = useChat(chat => chat.settle)
  if (!waits) return null
  const decide = async (isAgreed: boolean) => {
    tellTrouble(await settle(isAgreed))
    if (isAgreed) focusComposer()
  }
  return (
    <Dialog title="Stop the answer first?" closeLabel="Cancel" onClose={() => void decide(false)}>
      <p className="mb-4 text-sm">
        An answer is being written in this chat. What it has written so far is kept as a branch.
      </p>
      <DialogButtons
        label="Stop and continue"
        onClick={() => void decide(true)}
        onCancel={() => void decide(false)}
      />
    </Dialog>
  )
}
