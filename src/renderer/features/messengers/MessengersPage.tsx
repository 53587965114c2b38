import { useState, type ReactNode } from 'react'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { ContactCard } from './ContactCard.tsx'
import { Groups, OnTheWay } from './OnTheWay.tsx'
import { PairDialog } from './PairDialog.tsx'
import { PlatformCard } from './PlatformCard.tsx'

type Props = { start?: ReactNode; onOpenChat: (id: string) => void }

/** The Messengers page: connections, contacts that may write to the agent, and pending messages. */
export function MessengersPage({ start, onOpenChat }: Props): ReactNode {
  const [open, setOpen] = useState<string | null>(null)
  const [pairing, setPairing] = useState<string | null>(null)
  const answer = useAnswer('gateway.state', {})
  const state = answer?.ok ? answer.value : undefined
  const contacts = state?.contacts ?? []
  const titles = new Map(state?.platforms.map(({ name, title }) => [name, title]))
  const toPair = state?.platforms.find(({ name }) => name === pairing)
  return (
    <section aria-label="Messengers" className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header border-b border-line">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Messengers</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="column models-column grid grid-cols-[minmax(0,1fr)] gap-6 pt-4 pb-8">
          <p className="text-sm text-ink-2">
            Write to your agent from your phone. It works on this computer, with the same memory and skills,
            and answers while Talaria or “talaria serve” is running. Only people you have paired here can
            write to it.
          </p>
          {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
          {state && !state.isCarried && (
            <Banner level="info">
              Another Talaria on this computer answers the messages: the one with a window, or “talaria
              serve”.
            </Banner>
          )}
          {state && (
            <ul aria-label="Messengers" className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {state.platforms.map(platform => (
                <PlatformCard
                  key={platform.name}
                  platform={platform}
                  isPaired={contacts.some(({ accounts }) =>
                    accounts.some(account => account.platform === platform.name),
                  )}
                  onPair={() => setPairing(platform.name)}
                />
              ))}
            </ul>
          )}
          {contacts.length > 0 && (
            <section aria-labelledby="contacts-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <h2 id="contacts-heading" className="text-sm font-semibold">
                Who may write to it
              </h2>
              <ul aria-labelledby="contacts-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
                {contacts.map(contact => (
                  <ContactCard
                    key={contact.id}
                    contact={contact}
                    titles={titles}
                    isOpen={open === contact.id}
                    onOpen={setOpen}
                  />
                ))}
              </ul>
            </section>
          )}
          {state && state.groups.length > 0 && <Groups groups={state.groups} onOpenChat={onOpenChat} />}
          {state && state.items.length > 0 && <OnTheWay items={state.items} onOpenChat={onOpenChat} />}
        </div>
      </div>
      {toPair && <PairDialog platform={toPair} contacts={contacts} onClose={() => setPairing(null)} />}
    </section>
  )
}
