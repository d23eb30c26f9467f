// The value, of which no compiler knows more: NVIDIA's (580.159) writes least values, in addresses that a loop steps through, as
// negated greatest ones of negated values, and loses a sign where three of these meet.
INLINE int unknown_SUFFIX(const int value)
{
    return value ^ (int)(get_work_dim() >> 2);
}
