import { App } from 'antd';
import AdminScreen from '../features/admin/admin-screen';

/** The administration with antd's `App` around it: its alerts come from `App.useApp()`. Elsewhere that would weigh on the landing page. */
export default function AdminArea() {
  return (
    <App component={false}>
      <AdminScreen />
    </App>
  );
}
