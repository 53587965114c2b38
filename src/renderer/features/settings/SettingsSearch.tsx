import type { ReactNode } from 'react'
import { SearchBox } from '../../ui/TextField.tsx'
import { useSettings } from './settings-context.ts'

/** Searches all sections of the settings. */
export function SettingsSearch(): ReactNode {
  const query = useSettings(settings => settings.query)
  const setQuery = useSettings(settings => settings.setQuery)
  return <SearchBox label="Search all settings" query={query} onQuery={setQuery} />
}
