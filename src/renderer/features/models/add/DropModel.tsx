import { useEffectEvent, useLayoutEffect, useState, type ReactNode } from 'react'
import type { Transfer } from '../../../../shared/contract/models/download.ts'
import type { Model, FoundFile } from '../../../../shared/contract/models/model.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useReading } from '../../../rpc/use-answer.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { ModelsTab } from '../models-state.ts'
import { sendFile, type SendFile } from '../../../rpc/page-token.ts'
import { AddFound } from './AddFound.tsx'
import { formatBytes, plural } from '../../../ui/text/format-values.ts'
import { AddPath } from './AddModelDialog.tsx'
import { Problem } from '../../../ui/Banner.tsx'

type Props = {
  /** How bytes reach the host. */
  put?: SendFile
  /** Called when a drop added exactly one model. */
  onAdded?: (model: Model) => void
  /** Open the Models page, because files are being transferred. */
  onShow?: (tab: ModelsTab) => void
}

/**
 * Accepts model files dropped anywhere in the window. Other drops go to the element under the pointer. An
 * unhandled drop must not make the browser navigate away.
 */
export function DropModel({ put = sendFile, onAdded, onShow }: Props): ReactNode {
  const [over, setOver] = useState(false)
  const [dropped, setDropped] = useState<Dropped | null>(null)
  const take = useEffectEvent((data: DataTransfer) => {
    const found = readDrop(data, window.desktop?.pathOf)
    if (found.kind === 'other')
      showToast(
        'You can drop model files here. Their names end with .gguf. Other files can be dropped on a chat.',
      )
    else if (found.kind === 'folder')
      showToast('A browser page cannot send a folder. Add it by its path instead: Models, Add, A model file.')
    else setDropped(found)
  })

  // Register before the first paint, so that the browser never opens a file dropped on the visible window.
  useLayoutEffect(() => {
    const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    // An open dialog handles its own drops.
    const inDialog = ({ target }: Event) => target instanceof Element && target.closest('dialog') !== null
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event)) return
      // The element under the pointer has already accepted the drag and shows its own highlight.
      setOver(!event.defaultPrevented && !inDialog(event))
      event.preventDefault()
    }
    const onLeave = (event: DragEvent) => {
      // Without a related target, the drag has left the window.
      if (event.relatedTarget === null) setOver(false)
    }
    // Runs in the capture phase, so that the element under the pointer sees that the drop is taken.
    const onFirst = (event: DragEvent) => {
      setOver(false)
      if (!event.dataTransfer || inDialog(event) || !bringsModel(event.dataTransfer)) return
      event.preventDefault()
      take(event.dataTransfer)
    }
    const onLast = (event: DragEvent) => {
      if (event.defaultPrevented || !bringsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer && !inDialog(event)) take(event.dataTransfer)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onFirst, { capture: true })
    window.addEventListener('drop', onLast)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onFirst, { capture: true })
      window.removeEventListener('drop', onLast)
    }
  }, [])

  const close = () => setDropped(null)
  return (
    <>
      {over && (
        <output className="drop-veil">
          {document.querySelector('[data-takes-files]')
            ? 'Drop files to attach them to your message, or a model (.gguf) to add it'
            : 'Drop a .gguf file to add it'}
        </output>
      )}
      {dropped?.kind === 'paths' && <DroppedPaths paths={dropped.paths} onAdded={onAdded} onClose={close} />}
      {dropped?.kind === 'files' && (
        <SendFiles
          files={dropped.files}
          put={put}
          onAdded={onAdded}
          onSent={() => onShow?.('downloads')}
          onClose={close}
        />
      )}
    </>
  )
}

type DroppedPathsProps = {
  paths: readonly string[]
  onAdded: ((model: Model) => void) | undefined
  onClose: () => void
}

/** The files at the dropped paths, and the choice of how to add them. */
function DroppedPaths({ paths, onAdded, onClose }: DroppedPathsProps): ReactNode {
  const { ask } = useAnswers()
  const { value: files, problem } = useReading<FoundFile[]>({
    queryKey: ['model.look', { paths }],
    async queryFn({ signal }) {
      // All parts of a split model give the same answer.
      const found = new Map<string, FoundFile>()
      for (const path of paths) {
        const answer = await ask('model.look', { path }, signal)
        if (!answer.ok) throw answer.fault
        for (const file of answer.value.files) found.set(file.path, file)
      }
      return [...found.values()]
    },
  })
  return (
    <Dialog
      title={files && files.length > 1 ? `Add ${files.length} models` : 'Add a model'}
      closeLabel="Close"
      width="medium"
      onClose={onClose}
    >
      {!files && problem === null && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Reading the file…
        </output>
      )}
      <Problem text={problem ?? ''} />
      {files && <AddFound files={files} onAdded={onAdded} onDone={onClose} />}
    </Dialog>
  )
}

/** Returns the path of a dropped file; empty if it has none. Only the desktop app provides it. */
type PathOf = (file: File) => string

/**
 * The content of a drop. `paths`: local paths, in the desktop app only. `files`: file objects, in a browser.
 * `folder`: a folder, whose path a browser hides.
 */
type Dropped =
  | { kind: 'paths'; paths: string[] }
  | { kind: 'files'; files: File[] }
  | { kind: 'folder' | 'other' }

const isModel = (name: string) => /\.gguf$/iu.test(name)

/** Whether a drop surely contains models. A folder may contain anything. */
const bringsModel = (data: DataTransfer): boolean => Array.from(data.files).some(file => isModel(file.name))

/** Reads a drop. Call it inside the drop event, because the browser clears the data afterwards. */
function readDrop(data: DataTransfer, pathOf: PathOf | undefined): Dropped {
  const entries = Array.from(data.items, item => item.webkitGetAsEntry())
  const files = Array.from(data.files)
  const isFolder = (at: number) => entries[at]?.isDirectory === true
  const models = files.filter((file, at) => !isFolder(at) && isModel(file.name))
  const folders = files.filter((_, at) => isFolder(at))
  if (pathOf) {
    const paths = [...models, ...folders].map(pathOf).filter(path => path !== '')
    if (paths.length > 0) return { kind: 'paths', paths }
  }
  if (models.length > 0) return { kind: 'files', files: models }
  return { kind: folders.length > 0 ? 'folder' : 'other' }
}

type SendProps = {
  files: readonly File[]
  put: SendFile
  onAdded: ((model: Model) => void) | undefined
  /** Called when the uploads have started. */
  onSent: () => void
  onClose: () => void
}

/** Uploads files, because a browser hides their paths. The user can enter the path instead. */
function SendFiles({ files, put, onAdded, onSent, onClose }: SendProps): ReactNode {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const { ask } = useAnswers()
  /** Fail an upload whose bytes never reached the host. The host reports all other errors itself. */
  const lost = async ({ id, name }: Transfer) => {
    const list = await ask('download.list', {})
    if (!list.ok || list.value.transfers.find(each => each.id === id)?.state !== 'waiting') return
    showToast(`${name} could not be sent. Is it still there?`, { level: 'error' })
    await ask('download.cancel', { id })
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const begin = async () => {
    setBusy(true)
    for (const file of files) {
      const made = await ask('download.upload', { name: file.name, sizeBytes: file.size })
      if (!made.ok) {
        setBusy(false)
        return setProblem(made.fault.message)
      }
      // The host reports the progress, as for every transfer.
      void put(made.value.id, file).then(taken => (taken ? undefined : lost(made.value)))
    }
    showToast(plural(files.length, 'The file is being sent.', 'files are being sent.'))
    onClose()
    onSent()
  }
  return (
    <Dialog title="Send a model file" closeLabel="Close" width="medium" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ul className="grid gap-1">
          {files.map(file => (
            <li key={file.name} className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
              <span dir="auto" className="font-medium break-all">
                {file.name}
              </span>
              <span className="text-xs text-ink-3">{formatBytes(file.size)}</span>
            </li>
          ))}
        </ul>
        <p className="text-sm text-ink-2">
          A browser page cannot use a file in place, so the file is sent to the computer that Talaria runs on.
          You can use it once it has arrived.
        </p>
        <Problem text={problem} />
        <button
          type="button"
          className="btn btn-primary justify-self-start px-5"
          disabled={busy}
          onClick={() => void begin()}
        >
          {`Send ${formatBytes(bytes)}`}
        </button>
        <div className="grid gap-3 border-t border-line pt-4">
          <p className="text-sm text-ink-2">
            Is it on the same computer? Then enter its path and nothing is copied.
          </p>
          <AddPath
            onAdded={model => {
              showToast(`${model.name} was added.`)
              onClose()
              onAdded?.(model)
            }}
            onCopying={onClose}
          />
        </div>
      </div>
    </Dialog>
  )
}
