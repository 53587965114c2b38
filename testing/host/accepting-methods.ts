import type { HostClient } from '../../src/shared/contract/index.ts'

type Method = keyof HostClient

/**
 * What ties the user's answer to what was shown. `seen`: the call carries its hash, and `example` is such a
 * call. `content`: the call carries the shown content itself. `id`: the call names something that never
 * changes under its id.
 */
type Pin =
  | { by: 'seen'; shown: string; example: object }
  | { by: 'content' | 'id'; shown: string; why: string }

const SEEN = 'a'.repeat(64)
const server = { name: 'a', command: 'node' }

/** Every method with which the user agrees to something, what the user is shown before, and what pins it. */
export const ACCEPTING = {
  'mcp.accept': {
    by: 'seen',
    shown: 'the command with its variables, folder, network and warnings, or the text of a tool',
    example: { name: 'a', seen: SEEN },
  },
  'mcp.put': {
    by: 'seen',
    shown: 'the command or the address, with warnings',
    example: { server, seen: SEEN },
  },
  'mcp.switch': {
    by: 'seen',
    shown:
      'the text of the tool that runs unasked or may have any text, or the program that gets the network',
    example: { name: 'a', tool: 'b', unasked: true, seen: SEEN },
  },
  'skills.install': {
    by: 'seen',
    shown: 'the text, the files, what the scan found and what is replaced',
    example: { importId: 'a', choices: [{ path: 'a', seen: SEEN }] },
  },
  'skills.setEnabled': {
    by: 'seen',
    shown: 'what the scan found',
    example: { ids: ['a'], enabled: true, accept: true, seen: { a: SEEN } },
  },
  'learning.keep': {
    by: 'seen',
    shown: 'the text before and after, and why it asks',
    example: { ids: ['a'], seen: { a: SEEN } },
  },
  'permissions.remove': { by: 'seen', shown: 'the rule', example: { id: 'a', seen: SEEN } },
  'schedule.update': { by: 'seen', shown: 'the whole schedule', example: { id: 'a', seen: SEEN } },
  'schedule.resume': { by: 'seen', shown: 'the whole schedule', example: { id: 'a', seen: SEEN } },
  'schedule.run': { by: 'seen', shown: 'the whole schedule', example: { id: 'a', seen: SEEN } },
  'gateway.decide': {
    by: 'seen',
    shown: 'the account that wrote the code: its name, its number and the messenger',
    example: { pairingId: 'a', seen: SEEN, as: 'you' },
  },
  'gateway.change': {
    by: 'seen',
    shown: 'the contact with its accounts, rights, memory, folder, model and limits',
    example: { id: 'a', seen: SEEN, rights: 'ask' },
  },
  'gateway.pair': {
    by: 'id',
    shown: 'the messenger',
    why: 'it lets nobody in: who wrote the code is shown, and `gateway.decide` carries the hash of that',
  },
  'gateway.allowGroup': {
    by: 'id',
    shown: 'the group',
    why: 'it names the group by its id on the messenger, whatever its title is then; only contacts are heard in it',
  },
  'gateway.connect': { by: 'content', shown: 'the messenger and its key', why: 'the call holds both' },
  'gateway.send': { by: 'content', shown: 'the text', why: 'the call holds it' },
  'gateway.item': {
    by: 'id',
    shown: 'the message',
    why: 'a message that arrived or waits to be sent never changes under its id',
  },
  'agents.allow': {
    by: 'seen',
    shown: 'the program, what it calls itself, and what it may',
    example: {
      id: 'a',
      seen: SEEN,
      on: true,
      may: { user: true, notes: true, chats: true, skills: true, propose: true, learn: true },
    },
  },
  'connect.apply': {
    by: 'seen',
    shown:
      'the files that are written, the difference of those of the other program, and the commands that run',
    example: { program: 'claude-code', what: 'connect', run: false, seen: SEEN },
  },
  'agents.add': {
    by: 'content',
    shown: 'the name of the program',
    why: 'it makes a key that opens nothing: `agents.allow` carries the hash of what was shown',
  },
  'data.restore': {
    by: 'seen',
    shown: 'what the backup holds',
    example: { path: '/a', folder: '/b', seen: SEEN },
  },
  'session.keep': {
    by: 'id',
    shown: 'the chat, which is on the screen',
    why: 'a temporary chat becomes an ordinary one, and nothing that it holds changes',
  },
  'chat.pick': {
    by: 'id',
    shown: 'the call, as the label of its button',
    why: 'what is offered under an answer is stored with it and never changes; once the chat has gone on it is refused',
  },
  'attachment.add': {
    by: 'content',
    shown: 'the file that the person chose',
    why: 'it agrees to nothing: the file is kept beside the draft, and only `chat.send` gives it to a model',
  },
  'mcp.restore': {
    by: 'id',
    shown: 'the name',
    why: 'what was agreed to comes back with its identity, which is compared with the entry at every start',
  },
  'skills.create': {
    by: 'content',
    shown: 'the text; what the scan found in it',
    why: '`despite` is the hash of what the scan read, and nothing dangerous is saved without it',
  },
  'skills.save': {
    by: 'content',
    shown: 'the text; what the scan found in the skill',
    why: '`expected` is the text before, and `despite` the hash of every file that the scan read',
  },
  'skills.switchBundle': {
    by: 'content',
    shown: 'the names of the skills',
    why: 'it accepts no findings: what the scan holds back stays off',
  },
  'skills.setPinned': { by: 'content', shown: 'the skill', why: 'a pin only forbids changes' },
  'skills.putBundle': { by: 'content', shown: 'the names', why: 'the call holds the whole bundle' },
  'skills.setFields': { by: 'content', shown: 'the text', why: 'it changes a text and stores nothing' },
  'skills.setKey': {
    by: 'content',
    shown: 'the skill and the name of the key',
    why: 'a key is stored under both, and a skill that does not ask for that name is refused',
  },
  'skills.setSwitches': { by: 'content', shown: 'the switches', why: 'the call holds them' },
  'skills.restore': { by: 'id', shown: 'the version', why: 'revisions are only ever added' },
  'skills.undo': { by: 'id', shown: 'the change', why: 'revisions are only ever added' },
  'skills.allowLink': {
    by: 'content',
    shown: 'the real path where a link leads',
    why: 'it holds for exactly that path, and only for one that a link waits for now',
  },
  'skills.trust': {
    by: 'content',
    shown: 'the real path of the folder',
    why: 'trust is for the folder with all that comes later; a link that was put there is refused',
  },
  'skills.update': {
    by: 'id',
    shown: 'nothing yet',
    why: 'it only fetches into quarantine; what is installed is shown then, with its hash',
  },
  'permissions.add': { by: 'content', shown: 'the rule', why: 'the call holds its words' },
  'permissions.restore': { by: 'content', shown: 'the rule', why: 'the call holds the whole rule' },
  'settings.set': { by: 'content', shown: 'the setting', why: 'the call holds path and value' },
  'settings.setKey': { by: 'content', shown: 'the name of the key', why: 'the call holds name and value' },
  'app.setSettings': { by: 'content', shown: 'the settings', why: 'the call holds them' },
  'learning.settings': { by: 'content', shown: 'the settings', why: 'the call holds them' },
  'learning.addRule': { by: 'content', shown: 'the rule', why: 'the call holds its text' },
  'learning.readEarlier': {
    by: 'id',
    shown: 'the sessions of another program, with folder, day and how they begin',
    why: 'it names the sessions; what a file has got since is read too, and every finding waits as a card',
  },
  'learning.undo': {
    by: 'id',
    shown: 'the change',
    why: 'it goes back, and only over what nobody changed since',
  },
  'memory.add': { by: 'content', shown: 'the note', why: 'the call holds its text' },
  'memory.merge': {
    by: 'content',
    shown: 'the merged text, and the entries that it is made of',
    why: 'the call holds the text and what was seen of each entry; another text there is a conflict, and nothing changes',
  },
  'memory.restore': { by: 'id', shown: 'the version', why: 'revisions are only ever added' },
  'memory.undo': { by: 'id', shown: 'the change', why: 'revisions are only ever added' },
  'memory.resolve': {
    by: 'id',
    shown: 'the file before and after the edit',
    why: 'what was edited counts already; the call keeps it, or undoes the revisions that were recorded for this edit',
  },
  'memory.forgetForGood': {
    by: 'content',
    shown: 'every text that the entries ever had',
    why: 'the call holds the texts that were shown; others are a conflict, and it only removes',
  },
  'memory.settle': {
    by: 'seen',
    shown: 'both versions of the file',
    example: { id: 'a', seen: SEEN, keep: 'mine' },
  },
  'memory.setSwitches': { by: 'content', shown: 'the switches', why: 'the call holds them' },
  'project.update': { by: 'content', shown: 'the settings', why: 'the call holds those that change' },
  'project.restore': { by: 'id', shown: 'the project', why: 'a removed project cannot be changed' },
  'project.refreshPrompts': {
    by: 'content',
    shown: 'that the instructions wait',
    why: 'it chooses a moment: a new chat has the same prompt without being asked',
  },
  'session.refreshPrompt': {
    by: 'content',
    shown: 'that changes wait',
    why: 'it chooses a moment: a new chat has the same prompt without being asked',
  },
  'session.update': { by: 'content', shown: 'the settings', why: 'the call holds those that change' },
  'session.lendMode': {
    by: 'content',
    shown: 'the mode',
    why: 'the call holds it, and it ends with the caller',
  },
  'session.changeAll': { by: 'id', shown: 'the chats', why: 'it gives no rights and starts nothing' },
  'session.restore': { by: 'id', shown: 'the chat', why: 'a deleted chat cannot be changed' },
  'run.approve': {
    by: 'id',
    shown: 'the card',
    why: 'a card keeps its call, its rules and the pin of its tool; before it runs, paths are resolved and the change of a file is worked out again, and another one than was shown is not made',
  },
  'run.steer': { by: 'content', shown: 'the message', why: 'the call holds it' },
  'schedule.add': { by: 'content', shown: 'the form', why: 'the call holds all of it' },
  'schedule.restore': { by: 'id', shown: 'the schedule', why: 'a removed schedule cannot be changed' },
  'schedule.undo': {
    by: 'id',
    shown: 'the files',
    why: 'only files that nobody changed since go back, by hash',
  },
  'branch.switch': { by: 'id', shown: 'the branch', why: 'it chooses what models read; files stay' },
  'branch.undo': { by: 'id', shown: 'the chat', why: 'it chooses what models read; files stay' },
  'files.restore': {
    by: 'content',
    shown: 'the change of each file',
    why: 'the call holds the hashes before and after',
  },
  'import.run': {
    by: 'id',
    shown: 'the preview',
    why: 'the host keeps with it which files were read and when each was written to, and compares before it begins',
  },
  'download.start': {
    by: 'content',
    shown: 'the address and the checksum',
    why: 'the call holds them, or names a row of the catalogue, which ships with the app',
  },
  'download.resume': { by: 'id', shown: 'the transfer', why: 'its address and checksum never change' },
  'batch.start': {
    by: 'content',
    shown: 'the checks of all rows, whole',
    why: 'the call carries the hash of all of them, and starts nothing when they are others by now',
  },
  'batch.resume': {
    by: 'id',
    shown: 'the batch',
    why: 'the host keeps what it was started with, and the hash of the checks that were agreed to; other checks start nothing',
  },
  'model.add': {
    by: 'content',
    shown: 'the path',
    why: 'a model file is data, checked whenever it is loaded',
  },
  'model.addServer': { by: 'content', shown: 'the form', why: 'the call holds all of it' },
  'model.setMixture': { by: 'content', shown: 'the form', why: 'the call holds all of it' },
  'model.setDefault': { by: 'id', shown: 'the model', why: 'it gives no rights' },
  'model.setOptions': { by: 'content', shown: 'the options', why: 'the call holds them' },
  'model.load': { by: 'id', shown: 'the model', why: 'a model file is data, checked whenever it is loaded' },
  'toolset.switch': {
    by: 'content',
    shown: 'the names',
    why: 'what is in a toolset was agreed to elsewhere',
  },
  'updates.download': { by: 'content', shown: 'the version', why: 'the call holds it' },
  'updates.install': {
    by: 'content',
    shown: 'the version',
    why: 'the call holds it, and the checksum was compared',
  },
} as const satisfies Partial<Record<Method, Pin>>

/** Verbs of methods that may agree to something. A new method with such a verb has to be in the table. */
export const AGREEING =
  /\.(?:accept|add|allow|apply|approve|confirm|enable|grant|install|keep|lend|load|put|refresh|resolve|restore|resume|run|set|steer|switch|trust|undo|update|use)(?![a-z])/
