import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { go } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useOpenChat } from './chats.ts'
import { useAskSkills } from './known-skills.ts'
import { oneLine } from './one-line.ts'
import { skillText } from './skill-strings.ts'

/** Writes a request to make a skill of a turn into the message field, for the person to change and send. */
export function MakeSkillButton({ messageId }: { messageId: number }): ReactNode {
  const { store } = useOpenChat()
  const ask = useAskSkills()
  const { make: text } = skillText

  const write = async () => {
    const known = await ask()
    if (known.ok && !known.value.learns) {
      return showToast(text.off, { action: { label: text.open, run: () => go({ page: 'skills' }) } })
    }
    const { draft, messages, setDraft } = store.getState()
    const question = messages.findLast(message => message.role === 'user' && message.id <= messageId)
    const request = text.draft(oneLine(question?.text ?? '', 200))
    // What is being written stays.
    setDraft(draft.trim() === '' ? request : `${draft.trimEnd()}\n\n${request}`)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }
  return (
    <IconButton small label={text.label} onClick={() => void write()}>
      <Sparkles size={15} />
    </IconButton>
  )
}
