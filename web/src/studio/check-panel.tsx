export function CheckPanel() {
  return <p />;
}
