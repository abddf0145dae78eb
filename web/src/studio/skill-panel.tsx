export function SkillPanel() {
  return <p />;
}
