import { useState, type ReactNode } from 'react'
import { whyNoWeb } from '../../../../shared/web-words.ts'
import { nameSite } from '../../../../shared/web-citations.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat, useModel, useSession } from '../chats.ts'
import { useWebSwitch } from './use-web.ts'

/** Does what `/web WORDS` asks: a dialog shows what is found. `on` and `off` are the web of the model, in this chat or in all. */
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
    const where = all ? 'in every chat for which nothing else is set' : 'in this chat'
    const why = on && model ? whyNoWeb(model) : undefined
    showToast(
      `The web is ${on ? 'on' : 'off'} ${where}${why === undefined ? ', from the next message on.' : `. ${why}`}`,
    )
  }
  const close = () => {
    setWords(undefined)
    onClosed()
  }
  return {
    search(asked) {
      const [, switched, all] = /^(on|off)(?:\s+(all))?$/i.exec(asked.trim()) ?? []
      if (switched !== undefined) void turn(switched.toLowerCase() === 'on', all !== undefined)
      else if (asked.trim() === '') showToast('Add what to look for, such as /web high tide in Hamburg.')
      else setWords(asked.trim().slice(0, MOST_WORDS))
    },
    dialog: words === undefined ? null : <WebResults words={words} onClose={close} />,
  }
}

/** Characters of a search. */
const MOST_WORDS = 400

/** What a search of the web finds, without a model. Its texts are others', and nothing of them is loaded. */
function WebResults({ words, onClose }: { words: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title={`The web: ${words}`} closeLabel="Close" width="large" onClose={onClose} givesWay>
      <Found words={words} />
    </Dialog>
  )
}

function Found({ words }: { words: string }) {
  const { client } = useLink()
  const answer = useAsked(signal => attemptCall(client['web.search']({ words }, { signal })), words)
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
      <ol aria-label="Found pages" className="grid max-h-[calc(100dvh-14rem)] gap-3 overflow-y-auto">
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
