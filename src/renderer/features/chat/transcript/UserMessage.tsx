import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Attachment } from '../../../../shared/contract/chats/attachments.ts'
import type { AttachedSkill } from '../../../../shared/contract/chats/messages.ts'
import { showUnseen } from '../../../../shared/visible-text/show-unseen.ts'
import { goTo } from '../../../route.ts'
import { CopyButton } from '../../../ui/IconButton.tsx'
import { useKept } from '../../../ui/row-state.tsx'
import { cx } from '../../../ui/style.ts'
import { SentAttachments } from '../attach/SentAttachments.tsx'
import { EditButton, MessageEditor, RetryButton, VersionArrows } from '../branches/MessageActions.tsx'
import { FiguresButton } from './Answer.tsx'
import { useChat, useSession } from '../store/open-chats.ts'
import { isFoundIn } from '../find/chat-find.ts'
import { countsOf } from '../composer/DraftNotes.tsx'
import { presentSkill, useKnownSkills } from '../composer/known-skills.ts'

/** How many lines a message shows before it is folded. Long pasted text is rarely worth scrolling past. */
const FOLD_LINES = 14
const FOLD_LENGTH = 1_400

type Props = {
  /** Null until the host has stored the message. */
  id: number | null
  text: string
  skill: AttachedSkill | undefined
  attachments: readonly Attachment[]
  /** True if no further message follows. */
  last: boolean
}

/** The user's text, verbatim, and the skill and the files they sent along. */
export function UserMessage({ id, text, skill, attachments, last }: Props): ReactNode {
  const isEdited = useChat(chat => id !== null && chat.editing?.messageId === id)
  // A search match may be in the folded part.
  const isFound = useChat(chat => isFoundIn(chat, id))
  const isAgent = useSession()?.origin === 'sub_agent'
  const long = text.length > FOLD_LENGTH || text.split('\n').length > FOLD_LINES
  const [isUnfolded, setUnfolded] = useKept('whole', false)
  const whole = isUnfolded || isFound
  const [isCounted, setCounted] = useKept('figures', false)
  if (isEdited)
    return (
      <article aria-label="You" className="pt-5 pb-3">
        <SentAttachments attachments={attachments} />
        <MessageEditor label="Your message" action="Send" />
      </article>
    )
  return (
    <article aria-label="You" className="group flex flex-wrap items-center justify-end gap-1 pt-5 pb-3">
      <SentAttachments attachments={attachments} />
      <div className="toolbar">
        {id !== null && !isAgent && last && <RetryButton messageId={id} />}
        {id !== null && !isAgent && <EditButton messageId={id} text={text} label="Edit message" />}
        <CopyButton label="Copy message" doneLabel="Copied" text={() => text} />
        {id !== null && (
          <FiguresButton what="length" open={isCounted} onToggle={() => setCounted(!isCounted)} />
        )}
      </div>
      <div className={cx('user-bubble', id === null && 'opacity-70')}>
        {skill && <SentSkill skill={skill} />}
        <div
          dir="auto"
          className={cx('break-words whitespace-pre-wrap', long && !whole && 'line-clamp-[14]')}
        >
          {showUnseen(text)}
        </div>
        {long && (
          <button
            type="button"
            aria-expanded={whole}
            className="mt-1 text-sm font-medium text-accent hover:underline"
            onClick={() => setUnfolded(!whole)}
          >
            {whole ? 'Show less' : 'Show all'}
          </button>
        )}
      </div>
      {isCounted && <p className="w-full text-end text-xs text-ink-3 tabular-nums">{countsOf(text)}</p>}
      {id !== null && (
        <div className="flex w-full justify-end empty:hidden">
          <VersionArrows messageId={id} />
        </div>
      )}
    </article>
  )
}

const sentText = (name: string) => `Sent with the skill ${name}. Click to see it.`

/** The skill sent along with a message, as a link to its text. */
function SentSkill({ skill: { id, name } }: { skill: AttachedSkill }): ReactNode {
  const present = presentSkill(useKnownSkills(), { id, name })
  return (
    <button
      type="button"
      title={sentText(name)}
      aria-label={sentText(name)}
      className="chip mb-1.5 hover:text-ink"
      onClick={() => goTo({ page: 'skills', skillId: present?.id ?? id })}
    >
      <Sparkles size={14} className="shrink-0 text-ink-3" />
      <span dir="auto" className="truncate pe-1.5">
        {name}
      </span>
    </button>
  )
}
