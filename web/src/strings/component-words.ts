import type { ConfigProviderProps } from 'antd';

export const componentWords: ConfigProviderProps['locale'] = undefined;
