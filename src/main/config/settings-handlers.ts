import type { AppEvent } from '../../shared/contract/app.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { describedSettings, isSetting, settingOf, settingsOf } from './describe.ts'
import type { ConfigHandle } from './load.ts'
import type { ConfigPath } from './schema.ts'

type Parts = {
  config: ConfigHandle
  publish: (event: AppEvent) => void
}

/** The settings as data, and the setup. */
export function settingsHandlers({ config, publish }: Parts) {
  // `config.set` checks the value against the schema.
  const write = (path: ConfigPath, value: unknown) => config.set(path, value as never)
  return {
    'settings.list'() {
      // Show the file as it is now, including manual edits.
      config.reload()
      return { file: config.path, settings: settingsOf(config.current), problems: [...config.problems()] }
    },
    'settings.set'({ path, value }) {
      if (!isSetting(path)) throw new Fault('not_found', `There is no setting “${path}”.`)
      write(path, value)
      return settingOf(path, config.current)
    },
    'settings.reset'({ path }) {
      const paths = describedSettings
        .filter(each => each.path === path || each.section === path)
        // Resetting a section keeps the settings that have a page of their own.
        .filter(each => each.path === path || each.kind.type !== 'other')
        .map(each => each.path)
      if (paths.length === 0) throw new Fault('not_found', `There is no setting “${path}”.`)
      for (const each of paths) if (isSetting(each)) write(each, undefined)
      return {}
    },
    'setup.finish'() {
      try {
        config.set('ui.setup_done', true)
      } catch (error) {
        // A broken file is never written. `app.watch` skips setup then, so finish it here too.
        if (!(error instanceof Fault && error.code === 'not_ready')) throw error
        publish({ type: 'setup', done: true })
      }
      return {}
    },
    'setup.again'() {
      config.set('ui.setup_done', false)
      return {}
    },
  } satisfies Partial<HostHandlers>
}
