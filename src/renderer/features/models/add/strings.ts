import { formatBytes } from '../../../ui/format.ts'

/** Every sentence about bringing model files in. */
export const addText = {
  title: (count: number) => (count === 1 ? 'Add a model' : `Add ${count} models`),
  dropHere: 'Drop a .gguf file to add it',
  notAModel: 'Talaria takes model files here; their names end with .gguf.',
  folderInBrowser: 'A page cannot send a folder. Add it by its path instead: Models, Add, A model file.',
  close: 'Close',
  look: 'Look into it',
  looking: 'Looking at it…',
  where: 'Where it stays',
  link: 'Use it where it is',
  linkSays: 'Nothing is copied. It must stay there.',
  copy: 'Copy it into Talaria’s folder',
  copySays: (bytes: number, free: number | null) =>
    free === null
      ? `Takes ${formatBytes(bytes)} more. Right for a stick or a drive that is taken away.`
      : `Takes ${formatBytes(bytes)} of ${formatBytes(free)} that are free. Right for a stick or a drive that is taken away.`,
  noSpace: (bytes: number) => `Too little space: ${formatBytes(bytes)} more are needed.`,
  submit: 'Add',
  submitMany: (count: number) => (count === 1 ? 'Add' : `Add ${count}`),
  submitLoad: 'Add and load',
  submitCopy: 'Copy and add',
  adding: 'Adding…',
  nothing: 'There is no model file in it.',
  choose: (name: string) => `Add ${name}`,
  found: 'Files that were found',
  knownAs: 'It is in your list already.',
  copyOf: (name: string) => `The same model as ${name}, which is in your list.`,
  parts: (count: number) => `split over ${count} files`,
  vision: 'reads images',
  trained: (tokens: string) => `reads up to ${tokens} tokens`,
  noTools: 'Its way of calling tools is not known; learning will be weak.',
  copying: (count: number) =>
    count === 1 ? 'The file is being copied.' : `${count} files are being copied.`,
  added: (count: number, name: string) =>
    count === 1 ? `${name} was added.` : `${count} models were added.`,
  notSent: (name: string) => `${name} could not be sent. Is it still there?`,

  sendTitle: 'Send a model file',
  sendSays:
    'A page in a browser cannot use a file where it lies, so it is sent to the computer that Talaria runs on. It can be used from there as soon as it has come.',
  send: (bytes: number) => `Send ${formatBytes(bytes)}`,
  sending: (count: number) => (count === 1 ? 'The file is being sent.' : `${count} files are being sent.`),
  orPath: 'Is it on the same computer? Then name its path, and nothing is copied.',

  path: 'Path of a .gguf file',
  pathPlaceholder: '/home/you/models/name.gguf',
  pathHint: 'Or of a folder with such files. A model of 4 to 8 GB is a good start on most computers.',

  scanTitle: 'Models of other programs',
  scanning: 'Looking into the folders of LM Studio, Jan, GPT4All and Ollama…',
  scanNone: 'There are no model files of these programs.',
  looked: (folders: readonly string[]) => `Looked in ${folders.join(', ')}.`,
  allKnown: 'All of them are in your list already.',
} as const
