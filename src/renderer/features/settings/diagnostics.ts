import type { Setting } from '../../../shared/contract/settings.ts'
import type { HostState } from '../../rpc/host-state.ts'

/**
 * Diagnostics for a bug report, as lines of text. Reports are often public, so chats, paths, models and
 * servers are omitted. Changed numbers, switches and choices appear with their value, other changed settings
 * only by name.
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
