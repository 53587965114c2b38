import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { tellObeyedChange } from '../../../shared/obeyed-text.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import Markdown from '../../markdown/Markdown.tsx'
import { Unfolded } from '../../ui/fold.tsx'
import { formulasAreSet } from '../../markdown/math/turns.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { readPrintedChat, type PrintedChat, type PrintedMessage, type What } from './chat-text.ts'

type Props = What & { chatId: string; onDone: () => void }

/** Prints a chat: puts all of it beside the window, where only the printer sees it, until the dialog of the system closes. */
export default function PrintChat({ chatId, branches, tools, onDone }: Props): ReactNode {
  const { client } = useLink()
  const [chat, setChat] = useState<PrintedChat>()
  const endPrinting = useEffectEvent(onDone)
  useEffect(() => {
    let isLeft = false
    void attemptCall(readPrintedChat(client, { chat: chatId, branches, tools })).then(read => {
      if (isLeft) return
      if (read.ok) setChat(read.value)
      else {
        showToast(read.fault.message, { level: 'error' })
        endPrinting()
      }
    })
    return () => {
      isLeft = true
    }
  }, [client, chatId, branches, tools])
  useEffect(() => {
    if (!chat) return undefined
    let isLeft = false
    const print = async () => {
      if (document.querySelector('.printed-chat .formula-source')) await formulasAreSet()
      await document.fonts.ready
      if (isLeft) return
      window.print()
      endPrinting()
    }
    void print()
    return () => {
      isLeft = true
    }
  }, [chat])
  return chat ? createPortal(<Printed chat={chat} />, document.body) : null
}

function Printed({ chat: { title, createdAt, model, messages } }: { chat: PrintedChat }) {
  return (
    <article className="printed-chat" aria-hidden="true">
      <Unfolded value>
        <h1 dir="auto">{title}</h1>
        <p>
          {new Date(createdAt).toLocaleString()} · <bdi>{model}</bdi>
        </p>
        {messages.map((message, at) => (
          <section key={message.id}>
            {beginsBranch(message, messages[at - 1]) && <h2>Another branch</h2>}
            <h3>
              {speakerOf(message)}{' '}
              <span className="printed-time">{new Date(message.at).toLocaleString()}</span>
            </h3>
            <Body message={message} />
          </section>
        ))}
      </Unfolded>
    </article>
  )
}

const beginsBranch = (message: PrintedMessage, before: PrintedMessage | undefined) =>
  message.isOnPath === false && message.parentId !== before?.id

function speakerOf(message: PrintedMessage): string {
  if (message.role === 'user') return 'You'
  return message.role === 'tool' ? `Result of ${message.name}` : message.model || 'Assistant'
}

function Body({ message }: { message: PrintedMessage }) {
  if (message.role === 'user') return <p className="whitespace-pre-wrap">{message.text}</p>
  if (message.role === 'tool')
    return (
      <>
        <pre>{showHidden(message.text)}</pre>
        {message.obeyed?.map(change => (
          <p key={`${change.path} ${change.kept}`}>{showHidden(tellObeyedChange(change))}</p>
        ))}
      </>
    )
  return (
    <>
      {message.text !== '' && <Markdown text={message.text} live={false} below={3} />}
      {message.calls.map(call => (
        <div key={call.id}>
          <p>Used {call.name}</p>
          {/* Without tool output, an export only names the calls. */}
          {'arguments' in call && <pre>{showHidden(JSON.stringify(call.arguments, null, 1))}</pre>}
        </div>
      ))}
    </>
  )
}
