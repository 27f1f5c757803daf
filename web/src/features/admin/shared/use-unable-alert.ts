import { App } from 'antd';
import { adminText } from '../../../strings/admin';

/** 'Unable to Complete Action': an alert that stays until it is read, over the form that caused it. */
export function useUnableAlert(): (message: string) => void {
  const { modal } = App.useApp();
  return (message) => {
    modal.error({
      title: adminText.unableTitle,
      content: message,
      okText: adminText.ok,
      maskClosable: false,
    });
  };
}
