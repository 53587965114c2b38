import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { go } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useOpenChat } from './chats.ts'
import { useAskSkills } from './known-skills.ts'
import { oneLine } from '../../ui/format.ts'

/** Puts a request to make a skill from a turn into the message field, for the user to edit and send. */
export function MakeSkillButton({ messageId }: { messageId: number }): ReactNode {
  const { store } = useOpenChat()
  const ask = useAskSkills()

  const write = async () => {
    const known = await ask()
    if (known.ok && !known.value.learns) {
      return showToast('The agent may not write skills at the moment.', {
        action: { label: 'Skills', run: () => go({ page: 'skills' }) },
      })
    }
    const { draft, messages, setDraft } = store.getState()
    const question = messages.findLast(message => message.role === 'user' && message.id <= messageId)
    const request = `Make a skill of what we did here: “${oneLine(question?.text ?? '', 200)}”. Write down when to use it and the steps that worked, so that you can do it again.`
    // Keep the text already in the field.
    setDraft(draft.trim() === '' ? request : `${draft.trimEnd()}\n\n${request}`)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }
  return (
    <IconButton small label="Make a skill from this" onClick={() => void write()}>
      <Sparkles size={15} />
    </IconButton>
  )
}
