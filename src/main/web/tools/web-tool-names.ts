/** The names of the tools of the web, and of their toolset. */
export const WEB_SEARCH = 'web_search'
export const WEB_READ = 'web_read'
export const WEB_TOOLSET = 'web'
