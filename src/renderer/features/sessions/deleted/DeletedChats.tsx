import { ArchiveRestore, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import type { DeletedChat, UnremovedChat } from '../../../../shared/contract/chats/session.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { showTitle } from '../../../../shared/visible-text/show-unseen.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { Confirm, Dialog } from '../../../ui/Dialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { countOf, formatCount } from '../../../ui/text/format-values.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { byCount } from '../../../../shared/text/amounts.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

type Props = { onOpen: (id: string) => void; onClose: () => void }

/** The deleted chats, with Restore and Delete now. */
export function DeletedChats({ onOpen, onClose }: Props): ReactNode {
  const answer = useDeleted()
  return (
    <Dialog
      title="Recently deleted"
      closeLabel="Close the deleted chats"
      width="medium"
      onClose={onClose}
      givesWay
    >
      {answer?.ok === false && <Problem text={answer.fault.message} />}
      {answer?.ok && <Content {...answer.value} onOpen={onOpen} />}
    </Dialog>
  )
}

function Content({ chats, days, removing, unremoved, paused, onOpen }: Deleted & Pick<Props, 'onOpen'>) {
  const purge = usePurge()
  return (
    <div className="grid gap-4">
      <p className="text-sm text-ink-2">
        {`You can restore a deleted chat for ${countOf(days, 'day', 'days')}. After that, nothing of it is left in Talaria’s folder, backups included. Change the number of days under Settings > Data.`}
      </p>
      {paused && (
        <p className="text-sm text-warn">
          This computer’s clock jumped by more than a month. Talaria deletes no chats automatically until it
          has started again at least a day later. Delete now still works.
        </p>
      )}
      <output className="text-sm text-ink-2">
        {removing > 0 &&
          byCount(
            removing,
            '1 chat is being deleted for good. If you close Talaria, it continues at the next start.',
            `${formatCount(removing)} chats are being deleted for good. If you close Talaria, it continues at the next start.`,
          )}
      </output>
      {unremoved.length > 0 && <Unremoved chats={unremoved} onAgain={purge} />}
      {chats.length === 0 ? (
        <p className="text-sm text-ink-3">There are no chats to restore.</p>
      ) : (
        <ul aria-label="Deleted chats" className="max-h-[45vh] divide-y divide-line overflow-y-auto">
          {chats.map(chat => (
            <Row key={chat.id} chat={chat} onOpen={onOpen} onPurge={() => purge([chat.id])} />
          ))}
        </ul>
      )}
      {chats.length > 1 && (
        <div>
          <Confirm
            label="Delete all now"
            question={`Delete ${chats.length} chats for good? This cannot be undone.`}
            danger
            onYes={() => purge(chats.map(({ id }) => id))}
          />
        </div>
      )}
      <p className="text-xs text-ink-3">
        What stays: files in a chat’s folder, files you saved elsewhere, quotes in other chats, and the
        memories, skills and rules you kept. Their links to the chat stop working.
      </p>
    </div>
  )
}

type UnremovedProps = { chats: UnremovedChat[]; onAgain: (ids: string[]) => void }

/** The remains of chats that could not be deleted completely, and why. */
function Unremoved({ chats, onAgain }: UnremovedProps) {
  return (
    <section aria-label="Not deleted" className="grid gap-2">
      <p className="text-sm text-warn">
        Parts of these chats could not be deleted. Talaria tries again every hour and at each start.
      </p>
      <ul aria-label="Not deleted" className="max-h-[25vh] divide-y divide-line overflow-y-auto text-sm">
        {chats.flatMap(({ id, deletedAt, files }) =>
          files.map(({ path, why }) => (
            <li key={`${id} ${path}`} className="py-2">
              <p dir="auto" className="break-all">
                {showHiddenInLine(path)}
              </p>
              <p className="text-xs text-ink-3">
                <span className="block first-letter:uppercase">{why}</span>
                {deletedAt !== null &&
                  placeElements('The chat was deleted {when}.', { when: <When at={deletedAt} /> })}
              </p>
            </li>
          )),
        )}
      </ul>
      <div>
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => onAgain(chats.map(({ id }) => id))}
        >
          Try again
        </button>
      </div>
    </section>
  )
}

type RowProps = Pick<Props, 'onOpen'> & { chat: DeletedChat; onPurge: () => void }

function Row({ chat, onOpen, onPurge }: RowProps) {
  const restoreSession = useHost(host => host.restoreSession)
  const title = showTitle(chat.title)
  const restore = async () => {
    const restored = await restoreSession(chat.id)
    if (restored.ok) onOpen(chat.id)
    else showToast(restored.fault.message, { level: 'error' })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p dir="auto" className="truncate text-sm font-medium">
          {title}
        </p>
        <p className="text-xs text-ink-3">
          {placeElements('{messages}, deleted {when}, {days} left', {
            messages: countOf(chat.messageCount, 'message', 'messages'),
            when: <When at={chat.deletedAt} />,
            days: countOf(chat.daysLeft, 'day', 'days'),
          })}
        </p>
      </div>
      <button
        type="button"
        aria-label={`Restore “${title}”`}
        className="btn btn-quiet"
        onClick={() => void restore()}
      >
        <ArchiveRestore size={16} />
        Restore
      </button>
      <Confirm
        label="Delete now"
        name={`Delete now: “${title}”`}
        question="Delete for good? This cannot be undone."
        danger
        onYes={onPurge}
      />
    </li>
  )
}

/** Starts deleting chats for good. Shows failures. */
function usePurge(): (ids: string[]) => void {
  const { client } = useLink()
  return ids =>
    void attemptCall(client['session.purge']({ ids })).then(answer => {
      if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    })
}

type Deleted = Awaited<ReturnType<HostClient['session.deleted']>>

/** The deleted chats, read again whenever one is deleted, restored or removed. Undefined before the first answer. */
function useDeleted(): Outcome<Deleted> | undefined {
  return useAnswer('session.deleted', {})
}

const isNothing = ({ chats, removing, unremoved }: Deleted) =>
  chats.length + removing + unremoved.length === 0

/** Opens the deleted chats, from below the list of chats. Hidden while there are none. */
export function DeletedLink({ onClick }: { onClick: () => void }): ReactNode {
  const answer = useDeleted()
  if (!answer?.ok || isNothing(answer.value)) return null
  const { length } = answer.value.chats
  return (
    <IconButton
      label={length === 0 ? 'Recently deleted' : `Recently deleted ${length}`}
      aria-haspopup="dialog"
      className="w-auto min-w-8 gap-1 px-2"
      onClick={onClick}
    >
      <Trash2 size={16} />
      {length > 0 && <span className="text-2xs text-ink-3 tabular-nums">{length}</span>}
    </IconButton>
  )
}
