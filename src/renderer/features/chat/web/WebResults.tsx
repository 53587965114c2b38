import { useState, type ReactNode } from 'react'
import { whyNoWeb } from '../../../../shared/words/web-words.ts'
import { nameSite } from '../../../../shared/markdown/web-citations.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat, useModel, useSession } from '../store/open-chats.ts'
import { useWebSwitch } from './use-web.ts'

/**
 * Carries out `/web WORDS`: a dialog shows the results. `/web on` and `/web off` turn the web on or off for
 * the model, in this chat or in all chats.
 */
export function useWebCommand(onClosed: () => void): { search: (words: string) => void; dialog: ReactNode } {
  const [words, setWords] = useState<string>()
  const change = useChat(chat => chat.change)
  const session = useSession()
  const model = useModel()
  const switchWeb = useWebSwitch()
  const turn = async (on: boolean, all: boolean) => {
    const begun = all || session ? undefined : await change({})
    if (begun && !begun.ok) return showToast(begun.fault.message, { level: 'error' })
    const id = session?.id ?? begun?.value
    if (!all && typeof id !== 'string') return
    const done = await switchWeb(on, all || typeof id !== 'string' ? undefined : id)
    if (!done) return
    const why = on && model ? whyNoWeb(model) : undefined
    showToast(why === undefined ? sayFromNow(on, all) : `${all ? ON_FOR_ALL : ON_HERE} ${why}`)
  }
  const close = () => {
    setWords(undefined)
    onClosed()
  }
  return {
    search(asked) {
      const [, switched, all] = /^(on|off)(?:\s+(all))?$/i.exec(asked.trim()) ?? []
      if (switched !== undefined) void turn(switched.toLowerCase() === 'on', all !== undefined)
      else if (asked.trim() === '') showToast('Add what to search for, such as /web high tide in Hamburg.')
      else setWords(asked.trim().slice(0, MOST_WORDS))
    },
    dialog: words === undefined ? null : <WebResults words={words} onClose={close} />,
  }
}

const ON_HERE = 'The web is on in this chat.'
const ON_FOR_ALL = 'The web is on in every chat without its own setting.'

function sayFromNow(on: boolean, all: boolean): string {
  if (all)
    return on
      ? 'From the next message on, the web is on in every chat without its own setting.'
      : 'From the next message on, the web is off in every chat without its own setting.'
  return on
    ? 'The web is on in this chat from the next message on.'
    : 'The web is off in this chat from the next message on.'
}

/** Maximum length of a search, in characters. */
const MOST_WORDS = 400

/** The results of a web search, without a model. Nothing in their texts is loaded. */
function WebResults({ words, onClose }: { words: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title={`Web search: ${words}`} closeLabel="Close" width="large" onClose={onClose} givesWay>
      <Found words={words} />
    </Dialog>
  )
}

function Found({ words }: { words: string }) {
  const answer = useAnswer('web.search', { words }, { isOnce: true })
  if (!answer)
    return (
      <output className="flex items-center gap-2 py-2 text-ink-2">
        <Spinner /> Searching…
      </output>
    )
  if (!answer.ok) return <Problem text={answer.fault.message} />
  const { answeredBy, hits, passed } = answer.value
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="-mt-3 text-xs text-ink-2">
        {[
          `Found by ${showHidden(answeredBy)}, without a model.`,
          ...passed.map(({ source, why }) => `${source} did not answer: ${showHidden(why)}`),
        ].join(' ')}
      </p>
      {hits.length === 0 && <p className="text-ink-2">Nothing was found. Try other words.</p>}
      <ol aria-label="Pages found" className="grid max-h-[calc(100dvh-14rem)] gap-3 overflow-y-auto">
        {hits.map(({ title, address, snippet, date }) => (
          <li key={address} className="min-w-0">
            <a
              href={address}
              target="_blank"
              rel="noreferrer"
              dir="auto"
              className="block font-medium break-words text-accent hover:underline"
            >
              {showHidden(title || address)}
            </a>
            <p dir="ltr" className="truncate text-xs text-ink-3" title={showHidden(address)}>
              {[showHidden(nameSite(address)), date].filter(Boolean).join(' · ')}
            </p>
            {snippet !== '' && (
              <p dir="auto" className="text-sm break-words text-ink-2">
                {showHidden(snippet)}
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
