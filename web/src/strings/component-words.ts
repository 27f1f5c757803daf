import type { ConfigProviderProps } from 'antd';

/** The words of the component library in the page's language, from the build; undefined for its own. */
export const componentWords: ConfigProviderProps['locale'] = undefined;
