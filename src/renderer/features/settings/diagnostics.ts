import type { Setting } from '../../../shared/contract/settings.ts'
import type { HostState } from '../../rpc/host-state.ts'

/**
 * What a report needs, as lines of text. It names no chat, path, model or server, because it is pasted where others read it:
 * of what was changed only numbers, switches and choices are told, of all else the name.
 */
export function diagnosticsOf(
  { hello, engine, locked }: Pick<HostState, 'hello' | 'engine' | 'locked'>,
  settings: readonly Setting[],
  browser: string,
): string {
  const changed = settings
    .filter(setting => setting.changed)
    .map(({ path, kind, value }) =>
      kind.type === 'text' || kind.type === 'list' || kind.type === 'other'
        ? `  ${path}`
        : `  ${path}: ${String(value)}`,
    )
  return [
    `Talaria ${hello?.version ?? '?'}, ${hello?.hosting ?? '?'}, ${hello?.platform ?? '?'}`,
    `Window: ${browser}`,
    `Engine: ${engine.phase}, ${engine.hosting}, context ${engine.contextTokens ?? 'unknown'}`,
    `Offline lock: ${locked ? 'on' : 'off'}`,
    changed.length === 0 ? 'Changed settings: none' : 'Changed settings:',
    ...changed,
    '',
  ].join('\n')
}
