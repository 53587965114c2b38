import { Ellipsis, Eye, Trash2 } from 'lucide-react'
import { useState, type ReactNode, type FormEvent } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { formatCount } from '../../ui/text/format-values.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { useMemoryActions, useView } from './use-memory.ts'
import { Problem } from '../../ui/Banner.tsx'
import { byCount } from '../../../shared/text/amounts.ts'

/** The page title, and the actions on the whole memory. */
export function MemoryHeader({ start }: { start?: ReactNode }): ReactNode {
  const [open, setOpen] = useState<'preview' | 'forget' | null>(null)
  const isEmpty = (useView()?.entries.length ?? 0) === 0
  const close = () => setOpen(null)
  return (
    <header className="chat-header">
      {start}
      <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Memory</h1>
      <button type="button" className="btn btn-quiet" onClick={() => setOpen('preview')}>
        <Eye size={16} />
        What the model sees
      </button>
      <Menu
        label="More"
        align="end"
        entries={[
          {
            id: 'forget',
            label: 'Forget everything…',
            icon: <Trash2 size={16} />,
            danger: true,
            disabled: isEmpty,
            onSelect: () => setOpen('forget'),
          },
        ]}
        renderButton={props => (
          <IconButton label="More" {...props}>
            <Ellipsis size={18} />
          </IconButton>
        )}
      />
      {open === 'preview' && <PreviewDialog onClose={close} />}
      {open === 'forget' && <ForgetDialog onClose={close} />}
    </header>
  )
}

/** The exact memory block that a new chat starts with, and its token cost. */
function PreviewDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { projects = [], useInChats: isUsed = true } = useView() ?? {}
  const [project, setProject] = useState('')
  const answer = useAnswer('memory.preview', project === '' ? {} : { project })
  return (
    <Dialog title="What the model sees" closeLabel="Close" onClose={onClose} width="medium" givesWay>
      <div className="grid gap-3">
        {projects.length > 0 && (
          <Select
            label="For a new chat in"
            showLabel
            value={project}
            options={[
              { value: '', label: 'no project and no known folder' },
              ...projects.map(({ id, name, folder }) => ({
                value: id,
                label: folder === '' ? name : `${name} – ${folder}`,
              })),
            ]}
            onChange={setProject}
          />
        )}
        {!isUsed && (
          <p className="text-sm text-warn">“Use in chats” is off, so new chats start without this block.</p>
        )}
        {answer?.ok === false && <Problem text={`The preview failed: ${answer.fault.message}`} />}
        {answer?.ok && (
          <>
            <output className="text-sm text-ink-2">
              {answer.value.text === ''
                ? 'A new chat starts without memory.'
                : `${formatCount(answer.value.tokens)} tokens`}
            </output>
            {answer.value.text !== '' && (
              <Scrollable
                as="pre"
                dir="auto"
                label="The block that a new chat starts with"
                className="diff-block max-h-[50dvh] overflow-auto font-mono"
              >
                {answer.value.text}
              </Scrollable>
            )}
          </>
        )}
        <p className="text-xs text-ink-3">Open chats keep what they started with.</p>
      </div>
    </Dialog>
  )
}

/** Archives all entries, after the user types a word to confirm. */
function ForgetDialog({ onClose }: { onClose: () => void }): ReactNode {
  const count = useView()?.entries.length ?? 0
  const { forgetAll } = useMemoryActions()
  const [word, setWord] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isTyped = word.trim().toLowerCase() === 'forget'

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isTyped || busy) return
    setBusy(true)
    const answer = await forgetAll()
    setBusy(false)
    if (answer.ok) onClose()
    else setProblem(answer.fault.message)
  }

  return (
    <Dialog title="Forget everything?" closeLabel="Close" onClose={onClose}>
      <form className="grid gap-4" onSubmit={event => void submit(event)}>
        <p className="text-sm text-ink-2">
          {byCount(
            count,
            'This moves 1 entry to the archive, even if it is locked. Chats and skills stay.',
            `This moves ${formatCount(count)} entries to the archive, including locked ones. Chats and skills stay.`,
          )}
        </p>
        <TextField
          label="Type “forget” to confirm"
          value={word}
          error={problem}
          onChange={event => setWord(event.target.value)}
        />
        <DialogButtons label="Forget everything" isDangerous disabled={!isTyped || busy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
