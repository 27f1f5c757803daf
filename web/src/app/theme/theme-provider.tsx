import { App, ConfigProvider } from 'antd';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { TOAST } from '../../ui/toasts';
import { ToastGestures } from '../../ui/toast-gestures';
import { antdThemeFor } from './antd-theme';
import type { Scheme } from './palette';
import { useReducedMotion, useScheme } from './use-scheme';

interface SchemeSwitch {
  scheme: Scheme;
  choose: (scheme: Scheme) => void;
}

const SchemeContext = createContext<SchemeSwitch>({ scheme: 'light', choose: () => undefined });

export const useSchemeSwitch = () => useContext(SchemeContext);

export function ThemeProvider({ children }: { children: ReactNode }) {
  const { scheme, choose } = useScheme();
  const reducedMotion = useReducedMotion();
  const theme = useMemo(() => antdThemeFor(scheme, reducedMotion), [scheme, reducedMotion]);
  return (
    <SchemeContext value={{ scheme, choose }}>
      <ConfigProvider theme={theme} wave={{ disabled: true }} form={{ requiredMark: false }}>
        <App notification={TOAST}>
          <ToastGestures />
          {children}
        </App>
      </ConfigProvider>
    </SchemeContext>
  );
}
