"""What people have: files, binary forms, shardings of other systems, and the names that they gave to their tensors."""
