import type { ReactNode } from 'react'
import type { UnsentAttachment } from '../../../../shared/contract/chats/attachments.ts'
import { MAX_MESSAGE_CHARS } from '../../../../shared/contract/chats/messages.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Radios } from '../../../ui/fields/Choice.tsx'
import { countOf, formatBytes } from '../../../ui/text/format-values.ts'
import { useChat, useModel } from '../store/open-chats.ts'
import { readingLine } from './attachment-words.ts'

type Props = { attachment: UnsentAttachment; onRead: () => void; onTakeText: () => void }

/** How a document is sent, what could not be read, and what the user can do with it without a model. */
export function AttachmentDetails({ attachment, onRead, onTakeText }: Props): ReactNode {
  const { hash, kind, bytes, tokens = 0, use, fits, path, problems = [] } = attachment
  const changeUse = useChat(chat => chat.changeUse)
  const model = useModel()?.name ?? 'The model'
  const size = countOf(tokens, 'token', 'tokens')
  const reading = readingLine(attachment)
  return (
    <div className="grid gap-3">
      {use !== 'picture' && (
        <Radios
          label="What the model gets"
          value={use}
          onChange={chosen => void changeUse(hash, chosen)}
          options={[
            {
              value: 'whole',
              label: 'Whole document',
              hint: fits
                ? reading === ''
                  ? `${model} reads all ${size}.`
                  : `${model} reads all ${size}, ${reading}.`
                : `It has ${size}, which is more than ${model} can read at once.`,
              disabled: !fits,
            },
            {
              value: 'passages',
              label: 'Passages',
              hint: `${model} gets the beginning and the passages that match your message. If it can use tools, it can ask for more.`,
            },
          ]}
        />
      )}
      {problems.map(problem => (
        <p key={problem} className="text-xs text-warn">
          {problem}
        </p>
      ))}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-secondary" onClick={onRead}>
          Read and search it
        </button>
        {/* Each character has at least one byte, so this many bytes always fit. */}
        {kind === 'text' && bytes <= MAX_MESSAGE_CHARS && (
          <button type="button" className="btn btn-secondary" onClick={onTakeText}>
            Put its text into the message
          </button>
        )}
      </div>
      <p className="text-xs wrap-anywhere text-ink-3">
        {path !== undefined && `A copy of ${showHidden(path)} · `}
        {`${formatBytes(bytes)} · SHA-256 ${hash.slice(0, 12)}…`}
      </p>
    </div>
  )
}
