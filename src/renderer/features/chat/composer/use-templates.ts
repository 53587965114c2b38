import { useEffect, useRef, useState } from 'react'
import type { Template } from '../../../../shared/contract/chats/templates.ts'
import { fillTemplate, knownValues, withInput } from '../../../../shared/text/fill-template.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useProjects } from '../../../rpc/use-lists.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { useSession, useWorkspace } from '../store/open-chats.ts'

/** The templates, read each time: changes of their files are not reported. Undefined until read. */
export function useTemplates(wanted: boolean): readonly Template[] | undefined {
  const answer = useAnswer('template.list', {}, { isOnce: true, isOff: !wanted })
  return !wanted || !answer ? undefined : answer.ok ? answer.value.templates : []
}

/** Reads the templates now; returns none if that fails. */
export function useReadTemplates(): () => Promise<readonly Template[]> {
  const { ask } = useAnswers()
  return async () => {
    const answer = await ask('template.list', {})
    return answer.ok ? answer.value.templates : []
  }
}

/** Maximum number of characters taken from a selection or the clipboard. */
const MOST = 50_000

/** The text that was selected last in the conversation. */
export function useLastSelection(): () => string {
  const last = useRef('')
  useEffect(() => {
    const note = () => {
      const selection = document.getSelection()
      const isInTalk = selection?.anchorNode?.parentElement?.closest('.transcript')
      if (isInTalk) last.current = selection?.toString().slice(0, MOST) ?? ''
    }
    document.addEventListener('selectionchange', note)
    return () => document.removeEventListener('selectionchange', note)
  }, [])
  return () => last.current
}

/** A template that is waiting for the values of some variables. */
export type Filling = {
  template: Template
  input: string
  known: Readonly<Record<string, string>>
  asked: readonly { name: string; preset: string }[]
}

/**
 * Starts filling in a template: known values are filled in at once, and `filling` asks for the rest. The text
 * goes to `setDraft`; nothing is sent.
 */
export function useFillTemplate(setDraft: (text: string) => void, selectionOf: () => string) {
  const session = useSession()
  const folder = useWorkspace()
  const project = useProjects().find(each => each.id === session?.projectId)
  const [filling, setFilling] = useState<Filling | null>(null)

  const done = (
    values: Readonly<Record<string, string>>,
    { template, input }: Omit<Filling, 'asked' | 'known'>,
  ) => {
    setFilling(null)
    setDraft(withInput(fillTemplate(template.text, values), template.variables, input))
  }
  const begin = async (template: Template, input: string) => {
    const known = knownValues({ now: new Date(), folder, project: project?.name ?? '', input })
    const wants = (name: string) => template.variables.some(each => each.name === name)
    const selection = wants('selection') ? selectionOf() : ''
    const clipboard = wants('clipboard') ? await readClipboard() : ''
    const values = { ...known, ...(selection && { selection }), ...(clipboard && { clipboard }) }
    const asked = template.variables.filter(({ name }) => !Object.hasOwn(values, name))
    // A user who types more after the name accepts the preset values of the template.
    const isEnough = input !== '' && asked.every(({ preset }) => preset !== '')
    if (asked.length === 0 || isEnough) done(values, { template, input })
    else setFilling({ template, input, known: values, asked })
  }
  return {
    filling,
    begin: (template: Template, input: string) => void begin(template, input),
    close: () => setFilling(null),
    fill: (values: Readonly<Record<string, string>>) =>
      filling && done({ ...filling.known, ...values }, filling),
  }
}

/** Empty if the browser denies access; the form then asks for the text. */
async function readClipboard(): Promise<string> {
  try {
    return (await navigator.clipboard.readText()).slice(0, MOST)
  } catch {
    return ''
  }
}
